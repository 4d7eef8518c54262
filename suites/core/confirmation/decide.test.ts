import { describe, expect, test } from "vitest";
import type { ExpectationKind } from "../grading/failures/failure.ts";
import { type CheckRun, type Circumstances, type Decision, decide } from "./decide.ts";
import { type Disturbance, type DisturbanceKind, excuses } from "./disturbance.ts";

const KINDS: readonly ExpectationKind[] = ["value", "time", "absence", "limit"];

/** The kinds of expectation that each disturbance excuses. */
const EXCUSED: Readonly<Record<DisturbanceKind, readonly ExpectationKind[]>> = {
  "suite-late": ["time", "absence"],
  "attempt-lost": KINDS,
  "connection-lost": KINDS,
  unavailable: KINDS,
  "no-answer": KINDS,
  "foreign-traffic": ["limit"],
  restart: KINDS,
  "clock-corrected": ["time"],
  "eventual-consistency": KINDS,
  "overlapping-starts": KINDS,
};

const disturbed = (kind: DisturbanceKind, more: Partial<Disturbance> = {}): Disturbance => ({
  kind,
  from: 0,
  to: 0,
  what: `of ${kind}`,
  ...more,
});

const passed: CheckRun = { status: "passed", clauses: [], seenAt: [], kind: "value", disturbances: [] };
const failed = (more: Partial<CheckRun> = {}): CheckRun => ({
  status: "failed",
  clauses: ["RETRY-1"],
  seenAt: [],
  kind: "value",
  disturbances: [],
  ...more,
});
const fails = failed();
const elsewhere = failed({ clauses: ["RETRY-2"] });
const late = failed({ kind: "time", disturbances: [disturbed("suite-late")] });
const lagging = failed({ disturbances: [disturbed("eventual-consistency")] });
const unavailable = (more: Partial<Disturbance> = {}) =>
  failed({ disturbances: [disturbed("unavailable", { operation: "createQuote", ...more })] });
const lost = (operation: string) => failed({ disturbances: [disturbed("connection-lost", { operation })] });
const goneAt = (operation: string) => failed({ disturbances: [disturbed("restart", { operation })] });
const silent = failed({ kind: "absence", disturbances: [disturbed("no-answer", { operation: "getStore" })] });
const skipped: CheckRun = { ...passed, status: "not_verified", message: "no pairing code left" };
const skippedByLoss: CheckRun = { ...skipped, disturbances: [disturbed("connection-lost")] };
const errored: CheckRun = { ...passed, status: "errored", message: "a fault of the suite" };

const seenAt = (clause: string, run = fails): CheckRun => ({ ...run, seenAt: [clause] });
const never = (forbidden: string) => ({ isNever: (clause: string) => clause === forbidden });

/** The next step in one word, or the final status and the run that shows it. */
const summaryOf = (decision: Decision): string =>
  decision.next === "end" ? `${decision.status} ${decision.shows}` : decision.next;

type Row = readonly [
  what: string,
  runs: readonly CheckRun[],
  expected: string,
  circumstances?: Partial<Circumstances>,
];

const SEQUENCES: readonly Row[] = [
  ["nothing ran yet", [], "alone"],
  ["passes at first", [passed], "passed 0"],
  ["fails once", [fails], "alone"],
  ["fails twice at the same clause", [fails, fails], "failed 0"],
  ["fails twice at different clauses", [fails, elsewhere], "alone"],
  ["fails again at the first clause", [fails, elsewhere, fails], "failed 0"],
  ["disturbed, then passes", [late, passed], "passed 1"],
  ["disturbed, then fails undisturbed", [late, failed({ kind: "time" })], "alone"],
  [
    "disturbed, then fails undisturbed twice",
    [late, failed({ kind: "time" }), failed({ kind: "time" })],
    "failed 1",
  ],
  ["disturbed each time", [late, late, late, late, late], "not_verified 4"],
  ["undisturbed once, disturbed each other time", [fails, late, late, late, late], "inconsistent 0"],
  ["a list that lagged, then passes", [lagging, passed], "passed 1"],
  ["a list that didn't lag", [lagging, fails], "failed 1"],
  ["a lost connection, then the same undisturbed", [lost("getStore"), fails], "failed 1"],
  ["a lost connection, then another failure", [lost("getStore"), elsewhere], "alone"],
  ["differs", [fails, passed], "beside"],
  ["differs, and passes beside others", [fails, passed, passed], "alone"],
  ["fails once in five runs", [fails, passed, passed, passed, passed], "inconsistent 0"],
  ["fails again beside others", [fails, passed, fails], "failed 0"],
  ["fails again at last", [fails, passed, passed, passed, fails], "failed 0"],
  ["fails again at another clause", [fails, passed, elsewhere, passed, passed], "failed 2"],
  ["fails again, but disturbed", [fails, passed, late, passed, passed], "inconsistent 0"],
  ["502 once, then passes", [unavailable(), passed], "passed 1"],
  ["502 at the same operation each time", [unavailable(), unavailable()], "failed 1"],
  [
    "502 at times at the same operation",
    [unavailable({ respondsOtherwise: true }), unavailable({ respondsOtherwise: true })],
    "alone",
  ],
  [
    "502 at times in each of four runs",
    Array.from({ length: 4 }, () => unavailable({ respondsOtherwise: true })),
    "failed 3",
  ],
  ["502 at different operations", [unavailable(), unavailable({ operation: "getStore" })], "alone"],
  ["connections lost at the same operation thrice", [lost("a"), lost("a"), lost("a")], "alone"],
  [
    "connections lost at the same operation each time",
    [lost("a"), lost("a"), lost("a"), lost("a")],
    "failed 3",
  ],
  ["the target stops at one request, then the check passes", [goneAt("createQuote"), passed], "passed 1"],
  ["the target stops at one request twice", [goneAt("createQuote"), goneAt("createQuote")], "alone"],
  [
    "the target stops at one request in each run",
    [goneAt("createQuote"), goneAt("createQuote"), goneAt("createQuote")],
    "failed 2",
  ],
  [
    "the target stops at one request in each run, and loses a connection there",
    [goneAt("createQuote"), lost("createQuote"), goneAt("createQuote"), goneAt("createQuote")],
    "failed 3",
  ],
  [
    "the target stops at different requests",
    [goneAt("createQuote"), goneAt("getStore"), goneAt("createQuote")],
    "alone",
  ],
  [
    "the target stops and doesn't restart",
    [goneAt("createQuote")],
    "not_verified 0",
    { lacks: "it no longer answers" },
  ],
  ["connections lost at different operations", ["a", "b", "a", "b", "a"].map(lost), "not_verified 4"],
  [
    "a first delivery attempt that seems lost each time",
    Array.from({ length: 2 }, () =>
      failed({ disturbances: [disturbed("attempt-lost", { operation: "a webhook" })] }),
    ),
    "failed 1",
  ],
  ["no answer twice", [silent, silent], "alone"],
  ["no answer thrice", [silent, silent, silent], "failed 2"],
  ["no answer, and the operation is given up", [silent, { ...skipped, givenUp: "getStore" }], "failed 0"],
  ["no answer, and another operation is given up", [silent, { ...skipped, givenUp: "x" }], "not_verified 1"],
  ["fails more than once in one run", [{ ...lost("getStore"), isCertain: true }], "failed 0"],
  ["no answer, then an outage of something else", [silent, lost("getStore"), silent], "alone"],
  ["skipped", [skipped], "not_verified 0"],
  ["skipped because a request was lost", [skippedByLoss], "alone"],
  [
    "skipped in each run because requests are lost",
    Array.from({ length: 5 }, () => skippedByLoss),
    "not_verified 4",
  ],
  ["skipped because a request was lost, then passes", [skippedByLoss, passed], "passed 1"],
  ["fails, and then isn't testable", [fails, skipped], "failed 0"],
  ["disturbed, and then isn't testable", [late, skipped], "not_verified 1"],
  ["a fault of the suite", [errored], "errored 0"],
  ["a fault of the suite in the second run", [fails, errored], "failed 0"],
  ["no code is left", [fails], "failed 0", { lacks: "no pairing code left" }],
  ["differs, and no code is left", [fails, passed], "inconsistent 0", { lacks: "no pairing code left" }],
  ["disturbed, and no code is left", [late], "not_verified 0", { lacks: "no pairing code left" }],
  ["a forbidden observation", [seenAt("RETRY-1")], "failed 0", never("RETRY-1")],
  ["a forbidden observation in a disturbed run", [seenAt("RETRY-1", lost("a"))], "alone", never("RETRY-1")],
  [
    "a forbidden observation in a list that may lag",
    [seenAt("RETRY-1", lagging)],
    "failed 0",
    never("RETRY-1"),
  ],
  ["a forbidden observation in the second run", [fails, seenAt("RETRY-2")], "failed 1", never("RETRY-2")],
  [
    "a failure at a clause about a forbidden observation, without the observation",
    [fails],
    "alone",
    never("RETRY-1"),
  ],
  ["a late observation", [seenAt("RETRY-1", failed({ kind: "time" }))], "alone", never("RETRY-1")],
  ["a missing observation", [seenAt("RETRY-1", failed({ kind: "absence" }))], "alone", never("RETRY-1")],
  ["an observation that isn't forbidden", [seenAt("RETRY-1")], "alone", never("RETRY-2")],
  [
    "observations of which one is forbidden",
    [failed({ seenAt: ["RETRY-1", "RETRY-2"] })],
    "alone",
    never("RETRY-1"),
  ],
];

/** Rows on single disturbances, then sequences of runs. Returns those with another outcome. */
function wrongRows(isExcused: typeof excuses): readonly string[] {
  const single = Object.keys(EXCUSED).flatMap((kind) =>
    KINDS.map((expectation): Row => {
      const isDisturbance = (one: string): one is DisturbanceKind => one in EXCUSED;
      const disturbances = isDisturbance(kind) ? [disturbed(kind)] : [];
      const run = failed({ kind: expectation, disturbances });
      const isExcusedKind = isDisturbance(kind) && EXCUSED[kind].includes(expectation);
      return [`${kind} and a failed ${expectation}`, [run, passed], isExcusedKind ? "passed 1" : "beside"];
    }),
  );
  return [...single, ...SEQUENCES].flatMap(([what, runs, expected, circumstances]) => {
    const decision = decide(runs, { isNever: () => false, lacks: undefined, ...circumstances }, isExcused);
    return summaryOf(decision) === expected ? [] : [`${what}: ${summaryOf(decision)}, not ${expected}`];
  });
}

test("decisions match the table of disturbances, expectations and sequences of runs", () => {
  expect(wrongRows(excuses)).toEqual([]);
});

describe("the table detects a rule that", () => {
  test("excuses everything", () => {
    expect(wrongRows(() => true)).toContain("suite-late and a failed value: passed 1, not beside");
  });

  test("excuses nothing", () => {
    expect(wrongRows(() => false)).toContain("suite-late and a failed time: beside, not passed 1");
  });

  test.each(KINDS)("excuses no expectation about a %s", (kind) => {
    expect(wrongRows((one, expectation) => expectation !== kind && excuses(one, expectation))).not.toEqual(
      [],
    );
  });

  test.each(KINDS)("excuses each expectation about a %s", (kind) => {
    const spared = wrongRows((one, expectation) => expectation === kind || excuses(one, expectation));
    expect(spared).not.toEqual([]);
  });
});

test.each([
  [[fails], { lacks: "no pairing code left" }, "not repeated: no pairing code left"],
  [[fails, skipped], {}, "not repeated: no pairing code left"],
  [[late], { lacks: "no token left" }, "of suite-late; not repeated: no token left"],
  [[late, passed], {}, "ran again, since of suite-late"],
  [[fails, passed, passed, passed, passed], {}, "failed in 1 of 5 runs"],
  [[late, late, late, late, late], {}, "none of 5 runs was conclusive, since of suite-late"],
])("the note about the runs: %#", (runs, circumstances, note) => {
  expect(decide(runs, { isNever: () => false, lacks: undefined, ...circumstances })).toMatchObject({ note });
});
