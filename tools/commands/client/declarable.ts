import type { Suite } from "../../../suites/core/grading/suite.ts";
import type { Report } from "../../report/model.ts";

/**
 * Suggests declarations for clauses without evidence. The client created deliveries, but none that these clauses are
 * about.
 * @param repeat the command that repeats the run, without the client's own command
 */
export function declarableLines(
  { declarations, checks }: Pick<Suite, "declarations" | "checks">,
  report: { readonly checks: readonly Pick<Report["checks"][number], "id" | "status">[] },
  repeat: string,
): readonly string[] {
  const statusOf = (id: string) => report.checks.find((one) => one.id === id)?.status;
  return declarations
    .filter(({ clauses }) => {
      const concerned = checks.filter((check) => clauses.some((id) => check.clauses.includes(id)));
      return concerned.length > 0 && concerned.every(({ id }) => statusOf(id) === "not_verified");
    })
    .map(
      ({ name, text }) =>
        `If this is so, declare it: ${text}\n  ${repeat} --without ${name} -- YOUR-CLIENT-COMMAND`,
    );
}
