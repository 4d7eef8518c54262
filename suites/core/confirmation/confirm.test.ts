import { expect, test } from "vitest";
import type { Outcome } from "../grading/outcome.ts";
import { confirm, type RunResult } from "./confirm.ts";
import type { Disturbance } from "./disturbance.ts";

const check = { clauses: ["IDEM-1", "IDEM-2"] };
const base = { duration_ms: 1, requests: 3 };
const failed: Outcome = {
  ...base,
  status: "failed",
  message: "expected status 200, got 404",
  expected: "200",
};
const passed: Outcome = { ...base, status: "passed", steps: ["it was answered 200"] };
const late: Disturbance = { kind: "suite-late", from: 0, to: 1, what: "the suite stood still" };

const ran = (outcome: Outcome, ...disturbances: readonly Disturbance[]): RunResult => ({
  outcome,
  disturbances,
});

/** Confirms a check whose runs have these results. Returns the outcome, and the mode of each further run. */
async function confirmed(first: RunResult, ...further: readonly RunResult[]) {
  const modes: string[] = [];
  const remaining = [...further];
  const again = async (mode: string) => {
    modes.push(mode);
    const next = remaining.shift();
    if (!next) throw new Error("the check ran once more than it should have");
    return next;
  };
  const { outcome } = await confirm(check, [first], again, () => ({
    isNever: () => false,
    lacks: undefined,
  }));
  return { outcome, modes };
}

test("a failure that repeats is reported as in the first run", async () => {
  expect(await confirmed(ran(failed), ran({ ...failed, requests: 4 }))).toEqual({
    outcome: failed,
    modes: ["alone"],
  });
});

test("a failure at another clause doesn't confirm the first one", async () => {
  const at = (clause: string) =>
    ran({ ...failed, clause_findings: { failed: [clause], held: [], not_reached: [] } });
  const { outcome, modes } = await confirmed(at("IDEM-1"), at("IDEM-2"), at("IDEM-2"));
  expect(outcome.status).toBe("failed");
  expect(modes).toEqual(["alone", "alone"]);
});

test("an inconsistent check has the failure and the evidence of a run that passed", async () => {
  const passes = ran(passed);
  const { outcome, modes } = await confirmed(ran(failed), passes, passes, passes, passes);
  expect(outcome).toEqual({
    ...failed,
    status: "inconsistent",
    confirmation: "failed in 1 of 5 runs",
    passing_run: { steps: passed.steps },
  });
  expect(modes).toEqual(["alone", "beside", "alone", "alone"]);
});

test("a check that passes after a disturbed run has a note about the disturbance", async () => {
  const first = ran({ ...failed, kind: "time" }, late);
  const { outcome } = await confirmed(first, ran(passed));
  expect(outcome).toEqual({ ...passed, confirmation: "ran again, since the suite stood still" });
});

test("a check whose runs were all disturbed is not verified, and its message has the failure", async () => {
  const disturbed = ran({ ...failed, kind: "time" }, late);
  const { outcome } = await confirmed(disturbed, disturbed, disturbed, disturbed, disturbed);
  expect(outcome).toEqual({
    ...base,
    status: "not_verified",
    message: "expected status 200, got 404 – none of 5 runs was conclusive, since the suite stood still",
  });
});
