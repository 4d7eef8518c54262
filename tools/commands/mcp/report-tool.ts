import { readClauseList } from "../../../suites/core/contract/clause-list.ts";
import { nearest } from "../../nearest.ts";
import { contextOf } from "../../report/model.ts";
import { readReport } from "../../report/statement/verification.ts";
import { failureInFull, painter, renderTerminal } from "../../report/terminal.ts";
import { visibleReport } from "../../report/text/visible-report.ts";
import { suiteOf } from "../../suites.ts";
import { UsageError } from "../../usage-error.ts";
import type { LastRun } from "./run-tool.ts";

export interface ReportArguments {
  readonly report?: string;
  readonly check?: string;
}

/**
 * The text of a report: the whole run as on the terminal, or one check with its evidence.
 * @throws UsageError without a report, or for a check that isn't in it
 */
export async function reportText({ report: path, check: id }: ReportArguments, last: LastRun | undefined) {
  const { report, ...repeated } = path === undefined ? { ...last } : readReport(path);
  if (!report) throw new UsageError("nothing has run in this session: give report, a report's folder");
  const suite = await suiteOf[report.suite.subject]();
  const context = { ...contextOf(report, suite, readClauseList().parts), ...repeated };
  const paint = painter(false);
  if (id === undefined) return renderTerminal(report, context, paint);
  const { checks } = visibleReport(report);
  const check = checks.find((one) => one.id === id);
  if (!check) {
    const meant = nearest(
      id,
      checks.map((one) => one.id),
    );
    throw new UsageError(
      `the report has no check ${id}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    );
  }
  if (check.exchanges !== undefined || check.status === "failed") return failureInFull(check, context, paint);
  return `${check.id}: ${check.status}${check.message === undefined ? "" : `: ${check.message}`}`;
}
