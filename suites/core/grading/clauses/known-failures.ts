import { FAILURES, failedCases, type GradedCheck } from "./clause-results.ts";

/** A clause that is known to fail, in these cases only, or in any case if none is listed. */
export interface KnownClause {
  readonly clause: string;
  readonly cases?: readonly string[];
}

/**
 * True if an entry covers a clause's failure in these cases. A failure without a named case concerns the
 * whole clause.
 */
export const covers = (
  { clause, cases: listed }: KnownClause,
  failed: { readonly clause: string; readonly cases: readonly string[] },
): boolean =>
  clause === failed.clause &&
  (listed === undefined || (failed.cases.length > 0 && failed.cases.every((name) => listed.includes(name))));

/** The clauses that a failed check blames. */
const blamedBy = ({ clauses, clause_findings }: GradedCheck): readonly string[] =>
  clause_findings?.failed.filter((id) => clauses.includes(id)) ?? clauses;

/** The known clauses at which a check failed. Empty if it didn't fail. */
export function knownClauses(check: GradedCheck, known: readonly KnownClause[]): readonly string[] {
  if (!FAILURES.includes(check.status)) return [];
  const cases = failedCases(check);
  return blamedBy(check).filter((clause) => known.some((entry) => covers(entry, { clause, cases })));
}

/** True if a check failed, and at known clauses only. */
export function isKnownFailure(check: GradedCheck, known: readonly KnownClause[]): boolean {
  const found = knownClauses(check, known);
  return found.length > 0 && found.length === blamedBy(check).length;
}

/** The check as it counts for the exit code: a known failure counts as passed. */
export function withoutKnownFailures(check: GradedCheck): GradedCheck {
  const { status, clause_findings, known = [] } = check;
  if (status === "known_failure") return { ...check, status: "passed" };
  if (known.length === 0) return check;
  return {
    ...check,
    clause_findings: {
      failed: blamedBy(check).filter((id) => !known.includes(id)),
      held: [...(clause_findings?.held ?? []), ...known],
      not_reached: clause_findings?.not_reached ?? [],
    },
    known: [],
  };
}
