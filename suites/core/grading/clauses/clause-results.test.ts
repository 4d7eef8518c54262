import { expect, test } from "vitest";
import type { Clause } from "../../contract/clause-list.ts";
import { type ClauseConditions, clauseResult, type GradedCheck } from "./clause-results.ts";

const clause: Clause = {
  id: "IDEM-1",
  part: "endpoints",
  section: "Deliveries",
  subject: "server",
  level: "MUST",
  claim: "api",
  text: "…",
};
const should: Clause = { ...clause, level: "SHOULD" };
const conditions: ClauseConditions = { claims: ["api"], strict: false };
const check = (rest: Partial<GradedCheck>): GradedCheck => ({
  id: "a.check",
  clauses: ["IDEM-1", "IDEM-2"],
  status: "failed",
  ...rest,
});
const result = (rest: Partial<GradedCheck>, of = clause) => clauseResult(of, [check(rest)], conditions);

test("a failed case is named in the results of the clause and of the check", () => {
  const cases = { failed: ["delivery.failed"], held: ["delivery.created"], not_reached: [] };
  expect(result({ cases })).toMatchObject({
    status: "failed",
    cases: ["delivery.failed"],
    checks: [{ id: "a.check", status: "failed", cases: ["delivery.failed"] }],
  });
});

test.each([
  [{ operation: "createQuote", subject: "fee.amount", relation: "to be" }, ["POST /v1/quotes fee.amount"]],
  [{ operation: "createQuote", subject: "POST /v1/quotes", relation: "to answer" }, ["POST /v1/quotes"]],
  [{ subject: "two orders were sent", relation: "not to happen" }, undefined],
] as const)("without a set the case is the operation and the field: %j", (mismatch, cases) => {
  expect(result(mismatch).cases).toEqual(cases);
});

test("the cases of several checks are combined, each once", () => {
  const failed = (...names: readonly string[]) =>
    check({ cases: { failed: names, held: [], not_reached: [] } });
  expect(clauseResult(clause, [failed("a", "b"), failed("b", "c")], conditions).cases).toEqual([
    "a",
    "b",
    "c",
  ]);
});

const blaming = (failed: string, held: readonly string[]) =>
  ({ clause_findings: { failed: [failed], held, not_reached: [] } }) satisfies Partial<GradedCheck>;

test.each<[string, Partial<GradedCheck>, Clause, object]>([
  ["held before the failure", blaming("IDEM-2", ["IDEM-1"]), clause, { status: "passed" }],
  [
    "not reached",
    blaming("IDEM-2", []),
    clause,
    { status: "skipped", reason: "not reached: the check failed at IDEM-2" },
  ],
  ["blamed", blaming("IDEM-1", []), clause, { status: "failed" }],
  ["a failed SHOULD", {}, should, { status: "warned" }],
  ["not run", { status: undefined }, clause, { status: "skipped", reason: "not run" }],
  [
    "without a receiver",
    { status: "not_verified", message: "there is no receiver" },
    clause,
    { status: "skipped", reason: "there is no receiver" },
  ],
  [
    "blocked",
    { status: "blocked", message: "blocked by b.check" },
    clause,
    { status: "blocked", reason: "blocked by b.check" },
  ],
  [
    "excluded",
    {},
    { ...clause, excluded: "nothing shows it" },
    { status: "not_tested", reason: "nothing shows it" },
  ],
  [
    "without a check",
    { clauses: ["IDEM-2"] },
    clause,
    { status: "not_tested", reason: "no check verifies it" },
  ],
  ["of a level that isn't claimed", {}, { ...clause, claim: "time" }, { status: "not_claimed" }],
])("a clause %s", (_, rest, of, expected) => {
  expect(result(rest, of)).toMatchObject(expected);
});

test("with --strict a failed SHOULD is failed, and a declaration makes a skipped clause not applicable", () => {
  expect(clauseResult(should, [check({})], { ...conditions, strict: true }).status).toBe("failed");
  const inapplicable = new Set(["IDEM-1"]);
  const untested = check({ status: "not_verified" });
  expect(clauseResult(clause, [untested], { ...conditions, inapplicable }).status).toBe("not_applicable");
});
