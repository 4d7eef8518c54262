import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import type { Claim } from "../contract/claims.ts";
import {
  type DeclarationFinding,
  declarationFindings,
  declaredClauses,
  declaredOutcome,
} from "./clauses/declarations.ts";
import { type Grade, grade } from "./grade.ts";
import type { Outcome } from "./outcome.ts";
import type { Suite } from "./suite.ts";

/** The grade of a run with the outcomes of its checks, for tests. */
export interface Certification {
  readonly grade: Grade;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** A line for each check that neither passed nor was inapplicable, by check id. */
  readonly trouble: Readonly<Record<string, string>>;
  readonly declarations: readonly DeclarationFinding[];
}

export interface CertificationOptions {
  /** Defaults to all levels. */
  readonly claims?: readonly Claim[];
  readonly strict?: boolean;
  readonly without?: readonly DeclarationName[];
}

/** Grades the outcomes of a suite's checks. */
export function certificationOf(
  { levels, clauses, checks, declarations: declarable }: Suite,
  runOutcomes: ReadonlyMap<string, Outcome>,
  { claims = levels, strict = false, without = [] }: CertificationOptions = {},
): Certification {
  const declared = declarable.filter(({ name }) => without.includes(name));
  const outcomes = new Map(
    checks.flatMap((check) => {
      const outcome = runOutcomes.get(check.id);
      return outcome ? [[check.id, declaredOutcome(check, outcome, declared)]] : [];
    }),
  );
  const declarations = declarationFindings(checks, declared, ({ id }) => outcomes.get(id));
  const graded = checks.map(({ id, clauses: verified }) => ({
    ...outcomes.get(id),
    id,
    clauses: verified,
    status: outcomes.get(id)?.status,
  }));
  const trouble = [...outcomes].flatMap(([id, { status, message, expected, actual }]) =>
    status === "passed" || status === "not_applicable"
      ? []
      : [[id, `${status}: ${message ?? ""} (expected ${expected}, actual ${actual})`]],
  );
  return {
    grade: grade({
      levels,
      clauses,
      checks: graded,
      claims,
      incomplete: false,
      strict,
      declared: declaredClauses(declarations),
    }),
    outcomes,
    trouble: Object.fromEntries(trouble),
    declarations,
  };
}
