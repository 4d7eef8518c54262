import type { ClauseStatus } from "../../../suites/core/grading/clauses/clause-results.ts";
import type { KnownFailure, Report, ReportedCheck, ReportedClause } from "../model.ts";

/** The name and the symbol of each result, from worst to best. The symbols are for readers who can't see colours. */
export const CLAUSE_STATUSES: Readonly<
  Record<ClauseStatus, { readonly word: string; readonly sign: string }>
> = {
  failed: { word: "failed", sign: "✗" },
  warned: { word: "warned", sign: "!" },
  inconsistent: { word: "inconsistent", sign: "±" },
  errored: { word: "errored", sign: "⚡" },
  known_failure: { word: "known to fail", sign: "≈" },
  blocked: { word: "blocked", sign: "⊘" },
  skipped: { word: "not verified", sign: "?" },
  not_applicable: { word: "not applicable", sign: "∅" },
  passed: { word: "passed", sign: "✓" },
  not_tested: { word: "not tested", sign: "–" },
  not_claimed: { word: "not claimed", sign: "·" },
};

/** The results whose clauses are listed by id. */
const NAMED: readonly ClauseStatus[] = ["failed", "warned", "inconsistent", "errored"];
/** The results of clauses that the run didn't test. */
const EXCLUDED: readonly ClauseStatus[] = ["not_tested", "not_claimed"];
const MAX_NAMED = 3;

const statuses = Object.keys(CLAUSE_STATUSES);
const isStatus = (name: string): name is ClauseStatus => statuses.includes(name);

/** The clauses by result, from worst to best. */
export const clausesByStatus = ({
  clauses,
}: Pick<Report, "clauses">): readonly (readonly [ClauseStatus, readonly ReportedClause[]])[] =>
  statuses.filter(isStatus).flatMap((status) => {
    const some = clauses.filter((clause) => clause.status === status);
    return some.length === 0 ? [] : [[status, some] as const];
  });

/** The first names, and the number of the remaining names. */
function firstOf(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return [...names.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** A line with the number of clauses for each result. It names clauses that didn't pass. */
export function clausesLine(report: Pick<Report, "clauses">): string {
  const counts = clausesByStatus(report)
    .filter(([status]) => !EXCLUDED.includes(status))
    .map(([status, clauses]) => {
      const ids = clauses.map(({ id }) => id);
      return `${ids.length} ${CLAUSE_STATUSES[status].word}${NAMED.includes(status) ? ` (${firstOf(ids, MAX_NAMED)})` : ""}`;
    });
  return `Clauses: ${counts.join(", ")}`;
}

const MAX_CASE_CHARS = 80;

/**
 * The failed cases that the message doesn't name: the first one, cut, and the number of the others. They follow "also" if
 * the message names another one.
 */
function unnamedCases({ cases, message = "" }: Pick<ReportedCheck, "cases" | "message">): string | undefined {
  const failed = cases?.failed ?? [];
  const unnamed = failed.filter((name) => !message.includes(name));
  const [first = "", ...others] = unnamed;
  const shown = first.length > MAX_CASE_CHARS ? `${first.slice(0, MAX_CASE_CHARS)}…` : first;
  if (unnamed.length === 0) return undefined;
  return `${unnamed.length < failed.length ? "also " : ""}${firstOf([shown, ...others], 1)}`;
}

/**
 * The violated clauses of a failed check, and the case if the message doesn't name it: `REG-1:
 * delivery.created`.
 */
export function blamedClauses(check: ReportedCheck): string {
  const failed = firstOf(check.clause_findings?.failed ?? check.clauses, MAX_NAMED);
  const unnamed = unnamedCases(check);
  return unnamed === undefined ? failed : `${failed}: ${unnamed}`;
}

/** The text after a failed check's id: the case if the message doesn't name it, such as ` (delivery.created)`. */
export function caseSuffix(check: Pick<ReportedCheck, "cases" | "message">): string {
  const unnamed = unnamedCases(check);
  return unnamed === undefined ? "" : ` (${unnamed})`;
}

/** An entry of a baseline: `LIST-9 at limit=1: being fixed (until 2027-01-31)`. */
export const knownFailureLine = ({ clause, cases, reason, until }: KnownFailure): string =>
  `${clause}${cases === undefined ? "" : ` at ${firstOf(cases, MAX_NAMED)}`}: ${reason}${until === undefined ? "" : ` (until ${until})`}`;
