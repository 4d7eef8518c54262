import { expect, test } from "vitest";
import { LEVELS } from "../../contract/claims.ts";
import type { Clause, Declaration } from "../../contract/clause-list.ts";
import { grade } from "../grade.ts";
import type { CheckStatus, Outcome } from "../outcome.ts";
import type { SuiteCheck } from "../suite.ts";
import { declarationFindings, declaredClauses, declaredOutcome } from "./declarations.ts";

const clause = (id: Clause["id"], level: Clause["level"] = "MUST"): Clause => ({
  id,
  part: "authentication",
  section: "Authentication",
  subject: "server",
  level,
  claim: "courier",
  text: "…",
});
const clauses = [clause("AUTH-17"), clause("AUTH-18", "SHOULD"), clause("AUTH-20"), clause("ERR-15")];

const check = (id: string, verified: readonly Clause["id"][]): SuiteCheck => ({
  id,
  title: `${id} holds`,
  clauses: verified,
  severity: "MUST",
  level: "courier",
  needs: [],
});
const closed = check("closed", ["AUTH-17"]);
const code = check("code", ["AUTH-18"]);
const other = check("other", ["AUTH-20", "ERR-15"]);
const both = check("both", ["AUTH-17", "AUTH-20"]);

const declaration = (name: Declaration["name"], left: Declaration["clauses"]): Declaration => ({
  name,
  subject: "server",
  text: "It doesn't occur.",
  section: "Authentication",
  sentence: "…",
  clauses: left,
});
const noClosing = declaration("closed-credentials", ["AUTH-17", "AUTH-18"]);
const noOthers = declaration("other-credentials", ["AUTH-20", "ERR-15"]);

const ended = (status: CheckStatus, rest: Partial<Outcome> = {}): Outcome => ({
  status,
  duration_ms: 1,
  requests: 1,
  ...rest,
});

/** The result of a run in which each check ends as given. */
function run(
  ends: readonly (readonly [SuiteCheck, Outcome])[],
  declarations: readonly Declaration[],
  { known = [] }: { readonly known?: readonly SuiteCheck[] } = {},
) {
  const outcomes = new Map(
    ends.map(([one, outcome]) => [
      one.id,
      known.includes(one) ? ended("known_failure") : declaredOutcome(one, outcome, declarations),
    ]),
  );
  const checks = ends.map(([one]) => one);
  const findings = declarationFindings(checks, declarations, ({ id }) => outcomes.get(id));
  const graded = grade({
    levels: LEVELS.server,
    clauses,
    checks: checks.map(({ id, clauses: verified }) => ({
      id,
      clauses: verified,
      status: outcomes.get(id)?.status,
    })),
    claims: ["courier"],
    incomplete: false,
    strict: false,
    declared: declaredClauses(findings),
  });
  const statuses = Object.fromEntries(graded.clauses.map(({ id, status }) => [id, status]));
  return { ...graded, statuses, findings, outcomes };
}

test("an unverified check is not applicable if all its clauses are declared not to occur, and the other checks decide", () => {
  const ends = [
    [closed, ended("not_verified")],
    [code, ended("not_verified")],
    [other, ended("passed")],
  ] as const;
  expect(run(ends, []).verdict).toBe("INCOMPLETE");
  const { verdict, exit_code, statuses, levels, outcomes } = run(ends, [noClosing]);
  expect({ verdict, exit_code }).toEqual({ verdict: "CONFORMANT", exit_code: 0 });
  expect(statuses).toMatchObject({ "AUTH-17": "not_applicable", "AUTH-18": "not_applicable" });
  expect(levels.courier?.must).toEqual({ passed: 2, failed: 0, not_verified: 0, not_applicable: 1 });
  expect(outcomes.get("closed")?.message).toBe("not applicable, declared not to occur: closed-credentials");
});

test("a passed check disproves the declaration, whether its clauses are MUST or SHOULD", () => {
  const ends = [
    [closed, ended("not_verified")],
    [code, ended("passed", { account: ["one credential was closed"] })],
    [other, ended("passed")],
  ] as const;
  const { verdict, exit_code, findings, statuses } = run(ends, [noClosing]);
  expect({ verdict, exit_code }).toEqual({ verdict: "NONCONFORMANT", exit_code: 1 });
  expect(findings).toMatchObject([
    { name: "closed-credentials", disproved_by: [{ check: "code", seen: "one credential was closed" }] },
  ]);
  expect(statuses["AUTH-18"]).toBe("passed");
});

test("a disproved declaration fails the run in spite of a baseline", () => {
  const ends = [
    [closed, ended("passed")],
    [code, ended("passed")],
    [other, ended("failed")],
  ] as const;
  expect(run(ends, [noClosing], { known: [other] }).exit_code).toBe(1);
});

test("a failed check stays failed", () => {
  const ends = [
    [closed, ended("failed")],
    [other, ended("passed")],
  ] as const;
  const { verdict, findings, outcomes } = run(ends, [noClosing]);
  expect(verdict).toBe("NONCONFORMANT");
  expect(findings).toMatchObject([{ disproved_by: [] }]);
  expect(outcomes.get("closed")?.status).toBe("failed");
});

test("a check with other clauses too doesn't disprove the declaration, and leaves the other clauses unverified", () => {
  const unverified = [
    [closed, ended("not_verified")],
    [both, ended("not_verified")],
    [other, ended("passed")],
  ] as const;
  const left = run(unverified, [noClosing]);
  expect(left.outcomes.get("both")?.status).toBe("not_verified");
  expect(left.statuses).toMatchObject({ "AUTH-17": "not_applicable", "AUTH-20": "skipped" });
  expect(left.verdict).toBe("INCOMPLETE");
  const passed = run([unverified[0], [both, ended("passed")], unverified[2]], [noClosing]);
  expect(passed.findings).toMatchObject([{ disproved_by: [] }]);
  expect(passed.statuses).toMatchObject({ "AUTH-17": "not_applicable", "AUTH-20": "passed" });
});

test("declarations together cover a check that each covers in part", () => {
  const ends = [
    [both, ended("not_verified")],
    [code, ended("not_verified")],
    [other, ended("not_verified")],
  ] as const;
  const { outcomes, verdict } = run(ends, [noClosing, noOthers]);
  expect([...outcomes.values()].map(({ status }) => status)).toEqual([
    "not_applicable",
    "not_applicable",
    "not_applicable",
  ]);
  // If everything is declared away, nothing is verified.
  expect(verdict).toBe("INCOMPLETE");
});

test("a check that didn't run is not verified, with or without a declaration", () => {
  const graded = grade({
    levels: LEVELS.server,
    clauses,
    checks: [
      { id: "closed", clauses: ["AUTH-17"], status: undefined },
      { id: "other", clauses: ["AUTH-20", "ERR-15"], status: "passed" },
    ],
    claims: ["courier"],
    incomplete: true,
    strict: false,
    declared: { inapplicable: new Set(["AUTH-17"]), disproved: new Set() },
  });
  expect(graded.verdict).toBe("INCOMPLETE");
  expect(graded.clauses.find(({ id }) => id === "AUTH-17")?.status).toBe("skipped");
});
