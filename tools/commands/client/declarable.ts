import type { Suite } from "../../../suites/core/grading/suite.ts";
import type { Report } from "../../report/model.ts";

/**
 * Suggests declarations for clauses that no request of the client is about, although the client created deliveries.
 * @param repeat the command that repeats the run, without the client's own command
 */
export function declarableLines(
  { declarations, checks }: Pick<Suite, "declarations" | "checks">,
  report: { readonly checks: readonly Pick<Report["checks"][number], "id" | "status">[] },
  repeat: string,
): readonly string[] {
  const statusOf = (id: string) => report.checks.find((check) => check.id === id)?.status;
  return declarations
    .filter(({ clauses }) => {
      const clauseChecks = checks.filter((check) => clauses.some((id) => check.clauses.includes(id)));
      return clauseChecks.length > 0 && clauseChecks.every(({ id }) => statusOf(id) === "not_verified");
    })
    .map(
      ({ name, text }) =>
        `If the following is true, declare it: ${text}\n  ${repeat} --without ${name} -- YOUR-CLIENT-COMMAND`,
    );
}
