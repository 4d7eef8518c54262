import type { Report, ReportedCheck, ReportedClause } from "../model.ts";

/** The checks that gave a clause its result. */
export const decisiveChecks = (
  { checks: found, status }: ReportedClause,
  { checks }: Report,
): readonly ReportedCheck[] =>
  found.flatMap((one) => (one.status === status ? checks.filter(({ id }) => id === one.id) : []));

/** What the first of them found, and the failed cases that its message doesn't name; the reason if there is none. */
export function clauseMessage(clause: ReportedClause, report: Report): string {
  const { cases = [], reason = "no reason given" } = clause;
  const [first] = decisiveChecks(clause, report);
  const message = first?.message ?? first?.title ?? reason;
  const unnamed = cases.filter((name) => !message.includes(name));
  return unnamed.length === 0 ? message : `${message} (${unnamed.join("; ")})`;
}

/** The time of the checks whose first clause this is, so that no check's time counts twice. */
export const clauseDuration = ({ id }: ReportedClause, { checks }: Report): number =>
  checks
    .filter(({ clauses: [first] }) => first === id)
    .reduce((sum, { duration_ms }) => sum + duration_ms, 0);
