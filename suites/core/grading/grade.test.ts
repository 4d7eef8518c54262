import { expect, test } from "vitest";
import { LEVELS } from "../contract/claims.ts";
import type { Clause } from "../contract/clause-list.ts";
import type { GradedCheck } from "./clauses/clause-results.ts";
import { type GradingInput, grade } from "./grade.ts";
import type { CheckStatus } from "./outcome.ts";

const clause = (id: Clause["id"], rest: Partial<Clause> = {}): Clause => ({
  id,
  part: "endpoints",
  section: "Deliveries",
  subject: "server",
  level: "MUST",
  claim: "api",
  text: "…",
  ...rest,
});

const must = clause("IDEM-1");
const another = clause("IDEM-2");
const should = clause("IDEM-3", { level: "SHOULD" });

const ended = (clauses: readonly Clause[], status: CheckStatus | undefined): GradedCheck => ({
  id: clauses.map(({ id }) => id).join("+"),
  clauses: clauses.map(({ id }) => id),
  status,
});

const run = (rest: Partial<GradingInput>) =>
  grade({
    levels: LEVELS.server,
    clauses: [must, another, should],
    checks: [],
    claims: ["api"],
    incomplete: false,
    strict: false,
    ...rest,
  });

const passed = [ended([must], "passed"), ended([another], "passed"), ended([should], "passed")];

test("all claimed MUST clauses passed: CONFORMANT, exit 0", () => {
  expect(run({ checks: passed })).toMatchObject({ verdict: "CONFORMANT", exit_code: 0 });
});

test("one MUST failed: NONCONFORMANT, exit 1, whatever the other results", () => {
  const checks = [ended([must], "failed"), ended([another], "not_verified"), ended([should], "passed")];
  expect(run({ checks, incomplete: true })).toMatchObject({ verdict: "NONCONFORMANT", exit_code: 1 });
});

test("a MUST that could not be verified: INCOMPLETE, exit 2", () => {
  const checks = [ended([must], "passed"), ended([another], "not_verified"), ended([should], "passed")];
  expect(run({ checks })).toMatchObject({ verdict: "INCOMPLETE", exit_code: 2 });
});

test("a clause blocked by another check's failure is neither failed nor verified", () => {
  const checks = [ended([must], "failed"), ended([another], "blocked"), ended([should], "blocked")];
  const { verdict, levels, clauses } = run({ checks });
  expect(verdict).toBe("NONCONFORMANT");
  expect(levels.api?.must).toEqual({ passed: 0, failed: 1, not_verified: 1, not_applicable: 0 });
  expect(levels.api?.should).toEqual({ passed: 0, failed: 0, not_verified: 1, not_applicable: 0 });
  expect(clauses.map(({ status }) => status)).toEqual(["failed", "blocked", "blocked"]);
  expect(run({ checks: [ended([must], "passed"), ended([another], "blocked")] }).verdict).toBe("INCOMPLETE");
});

test("a check that didn't run counts as not verified", () => {
  const checks = [ended([must], "passed"), ended([another], undefined), ended([should], "passed")];
  expect(run({ checks }).verdict).toBe("INCOMPLETE");
});

test("a clause with two checks, one of them skipped, is not verified", () => {
  expect(run({ checks: [...passed, ended([must], "not_verified")] }).verdict).toBe("INCOMPLETE");
});

test("a filtered or interrupted run is INCOMPLETE, though all that ran passed", () => {
  expect(run({ checks: passed, incomplete: true }).verdict).toBe("INCOMPLETE");
});

test("a fault of the suite: ERROR, exit 3", () => {
  expect(run({ checks: [...passed, ended([must], "errored")] })).toMatchObject({
    verdict: "ERROR",
    exit_code: 3,
  });
});

test("a failed MUST is NONCONFORMANT even if another check errored", () => {
  const checks = [ended([must], "failed"), ended([another], "errored"), ended([should], "passed")];
  expect(run({ checks })).toMatchObject({ verdict: "NONCONFORMANT", exit_code: 1 });
  const ofEvents = { ...another, claim: "events" } as const;
  expect(run({ checks, clauses: [must, ofEvents, should], claims: ["api", "events"] })).toMatchObject({
    verdict: "NONCONFORMANT",
    levels: { api: { verdict: "NONCONFORMANT" }, events: { verdict: "ERROR" } },
  });
});

test("a SHOULD that failed is a warning, and with strict a failure", () => {
  const checks = [ended([must], "passed"), ended([another], "passed"), ended([should], "failed")];
  expect(run({ checks }).verdict).toBe("CONFORMANT");
  expect(run({ checks, strict: true }).verdict).toBe("NONCONFORMANT");
});

test("a run that verified nothing is not conformant", () => {
  expect(run({ checks: [] }).verdict).toBe("INCOMPLETE");
});

test("a known failure changes no verdict", () => {
  const checks = [ended([must], "known_failure"), ended([another], "passed"), ended([should], "passed")];
  expect(run({ checks }).verdict).toBe("NONCONFORMANT");
});

test("if all failures are known, the other checks decide the exit code", () => {
  const checks = [ended([must], "known_failure"), ended([another], "passed"), ended([should], "passed")];
  expect(run({ checks }).exit_code).toBe(0);
  expect(run({ checks: [...checks, ended([another], "failed")] }).exit_code).toBe(1);
  expect(run({ checks: [...checks, ended([another], "not_verified")] }).exit_code).toBe(2);
  expect(run({ checks: [...checks, ended([another], "errored")] }).exit_code).toBe(3);
});

test("only failed clauses in the baseline are known failures", () => {
  const third = clause("IDEM-4");
  const check = {
    ...ended([must, another, third], "failed"),
    clause_findings: { failed: ["IDEM-1", "IDEM-2"], held: ["IDEM-4"], not_reached: [] },
  };
  const clauses = [must, another, third];
  const some = run({ clauses, checks: [{ ...check, known: ["IDEM-1"] }] });
  expect(some.clauses.map(({ status }) => status)).toEqual(["known_failure", "failed", "passed"]);
  expect(some.exit_code).toBe(1);
  const allButWarning = run({
    clauses: [must, { ...another, level: "SHOULD" }, third],
    checks: [{ ...check, known: ["IDEM-1"] }],
  });
  expect(allButWarning.clauses.map(({ status }) => status)).toEqual(["known_failure", "warned", "passed"]);
  expect(allButWarning).toMatchObject({ verdict: "NONCONFORMANT", exit_code: 0 });
});

test("an outdated baseline gives a conformant run exit code 1", () => {
  expect(run({ checks: passed, outdatedBaseline: true })).toMatchObject({
    verdict: "CONFORMANT",
    exit_code: 1,
  });
});

test("a level that isn't claimed has no part in the verdict", () => {
  const timed = clause("AUTH-1", { claim: "time" });
  const result = run({ clauses: [must, timed], checks: [ended([must], "passed"), ended([timed], "failed")] });
  expect(result.verdict).toBe("CONFORMANT");
  expect(result.levels.time?.verdict).toBe("NOT_CLAIMED");
  expect(result.clauses.find(({ id }) => id === "AUTH-1")?.status).toBe("not_claimed");
});

test("excluded clauses are listed as not tested, and not counted", () => {
  const excluded = clause("DLV-52", { excluded: "…" });
  const result = run({ clauses: [must, excluded], checks: [ended([must], "passed")] });
  expect(result.clauses.map(({ status }) => status)).toEqual(["passed", "not_tested"]);
  expect(result.levels.api?.must).toEqual({ passed: 1, failed: 0, not_verified: 0, not_applicable: 0 });
});

const only = (...chosen: readonly GradedCheck[]) => ({
  incomplete: true,
  partial: { checks: new Set(chosen.map(({ id }) => id)), endedEarly: false },
});
const left = [ended([another], undefined), ended([should], undefined)];

test("a filtered run is INCOMPLETE, and with partial the chosen checks decide its exit code", () => {
  const chosen = ended([must], "passed");
  expect(run({ checks: [chosen, ...left], incomplete: true }).exit_code).toBe(2);
  expect(run({ checks: [chosen, ...left], ...only(chosen) })).toMatchObject({
    verdict: "INCOMPLETE",
    exit_code: 0,
  });
});

test.each([
  ["failed", 1],
  ["not_verified", 2],
  ["blocked", 2],
  ["errored", 3],
  [undefined, 2],
] as const)("a partial run with a chosen check of status %s has exit code %i", (status, exit_code) => {
  const chosen = ended([must], status);
  expect(run({ checks: [chosen, ...left], ...only(chosen) }).exit_code).toBe(exit_code);
});

test("a partial run may consist of a SHOULD only, and fails if it ended early", () => {
  const warned = ended([should], "failed");
  expect(run({ checks: [warned], ...only(warned) }).exit_code).toBe(0);
  expect(run({ checks: [warned], ...only(warned), strict: true }).exit_code).toBe(1);
  const chosen = ended([must], "passed");
  const { partial } = only(chosen);
  expect(run({ checks: [chosen], partial: { ...partial, endedEarly: true } }).exit_code).toBe(2);
  const known = ended([must], "known_failure");
  expect(run({ checks: [known], ...only(known) }).exit_code).toBe(0);
});

test("a check with findings by clause fails only these clauses; others passed or weren't reached", () => {
  const third = clause("IDEM-4");
  const check = {
    ...ended([must, another, third], "failed"),
    clause_findings: { failed: ["IDEM-2"], held: ["IDEM-1"], not_reached: ["IDEM-4"] },
  };
  const { verdict, clauses } = run({ clauses: [must, another, third], checks: [check] });
  expect(verdict).toBe("NONCONFORMANT");
  expect(clauses.map(({ status }) => status)).toEqual(["passed", "failed", "skipped"]);
});

test("an inconsistent MUST makes the run INCOMPLETE, and ranks between a failure and a fault of the suite", () => {
  const checks = [ended([must], "inconsistent"), ended([another], "passed")];
  expect(run({ checks })).toMatchObject({ verdict: "INCOMPLETE", exit_code: 2 });
  const statusOf = (...statuses: readonly CheckStatus[]) =>
    run({ clauses: [must], checks: statuses.map((status) => ended([must], status)) }).clauses[0]?.status;
  expect(statusOf("inconsistent", "failed")).toBe("failed");
  expect(statusOf("errored", "inconsistent", "blocked", "not_verified", "passed")).toBe("inconsistent");
});
