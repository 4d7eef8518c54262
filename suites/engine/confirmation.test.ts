import { expect, test } from "vitest";
import { monotonicNow, pause } from "../core/clock.ts";
import type { Disturbance } from "../core/confirmation/disturbance.ts";
import { comparable } from "../core/grading/failures/comparable.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import type { CheckId } from "./events.ts";
import { inSequence, runOrder } from "./order.ts";
import { type RunOptions, run } from "./run.ts";
import type { CheckRun, OpenTarget } from "./target.ts";

const base = { duration_ms: 0, requests: 0 };
const PASSED: CheckRun = { outcome: { ...base, status: "passed" } };
const FAILED: CheckRun = { outcome: { ...base, status: "failed", message: "404" } };
const FAILED_STATUS: CheckRun = {
  outcome: { ...FAILED.outcome, subject: "status", relation: "to be", expected: "200" },
};
const late: Disturbance = { kind: "suite-late", from: 0, to: 1, what: "the suite stalled" };
const LATE: CheckRun = { outcome: { ...FAILED.outcome, kind: "time" }, disturbances: [late] };
const LOST: CheckRun = {
  outcome: { ...base, status: "not_verified", message: "lost" },
  disturbances: [late],
};

/** Runs checks with the given sequence of results each; the last result repeats. Returns the outcomes, and the order of runs. */
async function resultsOf(
  ends: Readonly<Record<string, readonly CheckRun[]>>,
  made: Partial<OpenTarget<CheckId>> = {},
  options: RunOptions = {},
) {
  const runs: string[] = [];
  const remainingRuns = new Map(Object.entries(ends).map(([id, all]) => [id, [...all]]));
  const target = {
    open: async ({ checks }: { readonly checks: readonly CheckId[] }): Promise<OpenTarget<CheckId>> => ({
      order: inSequence(checks),
      redact: { text: (text) => text },
      runOnce: async ({ id }, { run: which, alone }) => {
        runs.push(`${id} ${which}${alone ? " alone" : ""}`);
        const all = remainingRuns.get(id) ?? [];
        return (all.length > 1 ? all.shift() : all[0]) ?? PASSED;
      },
      summary: () => ({ requests: 0 }),
      close: async () => {},
      ...made,
    }),
  };
  const outcomes: Record<string, Outcome> = {};
  const checks = Object.keys(ends).map((id) => ({ id }));
  for await (const event of run(checks, target, options)) {
    if (event.type === "result") outcomes[event.check.id] = event.outcome;
  }
  const statuses = Object.fromEntries(Object.entries(outcomes).map(([id, { status }]) => [id, status]));
  return { runs, outcomes, statuses };
}

test("a failed check runs again alone when all others have run", async () => {
  const { runs, statuses } = await resultsOf({ a: [FAILED], b: [PASSED] });
  expect(runs).toEqual(["a first", "b first", "a confirmation alone"]);
  expect(statuses).toEqual({ a: "failed", b: "passed" });
});

test("the failures of a cause that isn't confirmed wait until each other cause was repeated", async () => {
  const lateStatus: CheckRun = {
    ...LATE,
    outcome: { ...LATE.outcome, ...FAILED_STATUS.outcome, kind: "time" },
  };
  const { runs } = await resultsOf({ a: [lateStatus, PASSED], b: [lateStatus, PASSED], c: [FAILED] });
  const confirmations = runs.filter((one) => !one.endsWith("first")).map((one) => one.slice(0, 1));
  expect(confirmations.indexOf("c")).toBeLessThan(confirmations.indexOf("b"));
});

test("the cause of the most failures is confirmed first", async () => {
  const { runs } = await resultsOf({ a: [FAILED], b: [FAILED_STATUS], c: [FAILED_STATUS] });
  expect(runs.slice(3)).toEqual(["b confirmation alone", "a confirmation alone"]);
});

test("a slow check is repeated after quick ones", async () => {
  const slow = (one: CheckRun): CheckRun => ({ ...one, outcome: { ...one.outcome, duration_ms: 120_000 } });
  const { runs } = await resultsOf({ a: [slow(FAILED_STATUS)], b: [slow(FAILED_STATUS)], c: [FAILED] });
  expect(runs.slice(3)).toEqual(["c confirmation alone", "a confirmation alone"]);
});

test("the quickest check of a cause confirms it", async () => {
  const slow: CheckRun = { ...FAILED_STATUS, outcome: { ...FAILED_STATUS.outcome, duration_ms: 120_000 } };
  const { runs, outcomes } = await resultsOf({ a: [slow], b: [FAILED_STATUS], c: [FAILED_STATUS] });
  expect(runs.slice(3)).toEqual(["b confirmation alone"]);
  expect(outcomes.a?.confirmation).toBe("confirmed by b");
});

test("one confirmation counts for all failures with the same cause", async () => {
  const { runs, outcomes } = await resultsOf({ a: [FAILED_STATUS], b: [FAILED_STATUS], c: [FAILED] });
  expect(runs.slice(3)).toEqual(["a confirmation alone", "c confirmation alone"]);
  expect(outcomes.b).toEqual({ ...FAILED_STATUS.outcome, confirmation: "confirmed by a" });
});

test("missing events of one type have the same cause, whatever their delivery", async () => {
  const missing = (delivery: string): CheckRun => ({
    outcome: {
      ...FAILED.outcome,
      subject: `delivery.created of ${delivery}`,
      field: "delivery.created",
      relation: "to arrive",
      expected: "within 15 s",
    },
  });
  const { outcomes } = await resultsOf({ a: [missing("d-1")], b: [missing("d-2")] });
  expect(outcomes.b?.confirmation).toBe("confirmed by a");
});

test("wrong ids at the same place have the same cause, whatever the expected id", async () => {
  const wrong = (id: string): CheckRun => ({
    outcome: { ...FAILED_STATUS.outcome, subject: "details", expected: `{ delivery_id: '${id}' }` },
    expectedData: comparable({ delivery_id: id }),
  });
  const [one, other] = ["c3b5c8e6-9f26-45fd-8717-460650f2978b", "103e922a-0ce8-4182-8127-943c6594e381"];
  const { outcomes } = await resultsOf({ a: [wrong(one)], b: [wrong(other), PASSED], c: [wrong("none")] });
  expect([outcomes.b, outcomes.c].map((outcome) => outcome?.confirmation)).toEqual([
    "confirmed by a",
    undefined,
  ]);
});

test("if a shared cause isn't confirmed, each check that failed by it runs again", async () => {
  const { runs, statuses, outcomes } = await resultsOf({ a: [FAILED_STATUS, PASSED], b: [FAILED_STATUS] });
  expect(runs.filter((one) => one.startsWith("b conf"))).toEqual(["b confirmation alone"]);
  expect(outcomes.a?.confirmation).toBe("failed in 1 of 5 runs, with the difference that is confirmed in b");
  expect(statuses).toEqual({ a: "inconsistent", b: "failed" });
});

test("a disturbed check runs again itself, even if its cause is confirmed", async () => {
  const { statuses } = await resultsOf({
    a: [FAILED_STATUS],
    b: [{ ...FAILED_STATUS, disturbances: [late] }, PASSED],
  });
  expect(statuses).toEqual({ a: "failed", b: "inconsistent" });
});

test("a check with different results runs once more with the checks that ran concurrently", async () => {
  const order = runOrder([{ id: "a" }, { id: "b" }], () => false);
  const { runs, statuses } = await resultsOf({ a: [FAILED, PASSED], b: [PASSED] }, { order }, { jobs: 2 });
  expect(statuses.a).toBe("inconsistent");
  expect(runs.slice(2)).toEqual([
    "a confirmation alone",
    "a confirmation",
    "b confirmation",
    "a confirmation alone",
    "a confirmation alone",
  ]);
});

test("a check on which others depend is confirmed before they are blocked", async () => {
  const { runs, statuses } = await resultsOf(
    { a: [FAILED, PASSED], b: [PASSED] },
    { blocksOthers: () => true },
  );
  expect(runs.at(-1)).toBe("b first");
  expect(statuses).toEqual({ a: "inconsistent", b: "passed" });
});

test("a check that passes after a disturbed run has a note about the disturbance", async () => {
  const { outcomes } = await resultsOf({ a: [LATE, PASSED], b: [LOST, PASSED] });
  expect(outcomes).toMatchObject({
    a: { status: "passed", confirmation: "ran again, since the suite stalled" },
    b: { status: "passed" },
  });
});

test("a check that can't run again is decided by its first run", async () => {
  const { runs, outcomes } = await resultsOf(
    { a: [FAILED] },
    { lacksForAnotherRun: () => "no pairing code left" },
  );
  expect(runs).toEqual(["a first"]);
  expect(outcomes.a).toMatchObject({ status: "failed", confirmation: "not repeated: no pairing code left" });
});

test("after the time for confirmations only failures with a confirmed cause are failed", async () => {
  const began = monotonicNow();
  let firstPassMs: number | undefined;
  const slow: OpenTarget<CheckId>["runOnce"] = async ({ id }, mode) => {
    if (mode.run === "confirmation") {
      // Longer than the first pass, which lasts on a busy machine.
      firstPassMs ??= monotonicNow() - began;
      await pause(50 + 2 * firstPassMs);
    }
    return id === "b" ? FAILED : FAILED_STATUS;
  };
  const ends = { a: [FAILED_STATUS], b: [FAILED], c: [{ ...FAILED_STATUS, disturbances: [late] }] };
  const { statuses, outcomes } = await resultsOf(ends, { runOnce: slow }, { leastConfirmationMs: 5 });
  expect(statuses).toEqual({ a: "failed", b: "not_verified", c: "failed" });
  expect(outcomes.b?.skip).toEqual({ kind: "out of time" });
});

test("failures of a MUST run again before those of a SHOULD", async () => {
  // The ids of checks are read as those of their clauses here.
  const { runs } = await resultsOf({ "NEW-11": [FAILED], "NEW-1": [FAILED] });
  expect(runs.slice(2)).toEqual(["NEW-1 confirmation alone", "NEW-11 confirmation alone"]);
});

test("checks of lists that may lag are repeated concurrently, even without time left", async () => {
  const lag: Disturbance = { kind: "eventual-consistency", from: 0, to: 1, what: "a list was read early" };
  const lagging = { ...FAILED, disturbances: [lag] };
  let atOnce = 0;
  let most = 0;
  const slow: OpenTarget<CheckId>["runOnce"] = async (_, mode) => {
    if (mode.run === "first") return lagging;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await pause(20);
    atOnce -= 1;
    return PASSED;
  };
  const { statuses } = await resultsOf(
    { a: [lagging], b: [lagging] },
    { runOnce: slow },
    { leastConfirmationMs: 1 },
  );
  expect(statuses).toEqual({ a: "passed", b: "passed" });
  expect(most).toBe(2);
});

test("an inconsistent failure is blocked by the check of its cause", async () => {
  const blocked: Outcome = { ...base, status: "blocked", message: "blocked by b", blocked_by: "b" };
  const { statuses } = await resultsOf(
    { a: [FAILED, PASSED] },
    {
      blocksOthers: () => true,
      outcomeAmongOthers: async (_, { outcome }) => (outcome.status === "failed" ? blocked : outcome),
    },
  );
  expect(statuses).toEqual({ a: "blocked" });
});

test("a failure that passes when repeated waits until each other failure was repeated once", async () => {
  const { runs, statuses } = await resultsOf({ a: [FAILED, PASSED], b: [FAILED] });
  expect(runs.slice(2, 4)).toEqual(["a confirmation alone", "b confirmation alone"]);
  expect(statuses).toEqual({ a: "inconsistent", b: "failed" });
});
