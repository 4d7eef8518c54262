import type { Report, ReportedCheck, ReportedClause } from "../model.ts";

/** The checks that determined a clause's result. */
export const decisiveChecks = (
  { checks: found, status }: ReportedClause,
  { checks }: Report,
): readonly ReportedCheck[] =>
  found.flatMap((one) => (one.status === status ? checks.filter(({ id }) => id === one.id) : []));

/**
 * The message of the first decisive check with the failed cases that it doesn't name. Without a message, the
 * reason.
 */
export function clauseMessage(clause: ReportedClause, report: Report): string {
  const { cases = [], reason = "no reason given" } = clause;
  const [first] = decisiveChecks(clause, report);
  const message = first?.message ?? first?.title ?? reason;
  const unnamed = cases.filter((name) => !message.includes(name));
  return unnamed.length === 0 ? message : `${message} (${unnamed.join("; ")})`;
}

/** The duration of the checks whose first clause this is, so that each check's time counts once. */
export const clauseDuration = ({ id }: ReportedClause, { checks }: Report): number =>
  checks
    .filter(({ clauses: [first] }) => first === id)
    .reduce((sum, { duration_ms }) => sum + duration_ms, 0);
