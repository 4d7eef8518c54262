import { asCounted } from "./causes/causes.ts";
import type { Report, ReportContext } from "./model.ts";
import { causesFirst, failureLine, inLine, inReadingOrder, missing, verdictLine } from "./terminal.ts";
import { verdictReasons } from "./text/labels.ts";
import type { Paint } from "./text/paint.ts";
import { visibleReport } from "./text/visible-report.ts";

const MAX_CAUSES = 4;
/** Longer lines are cut, because they may contain a target's text. */
const MAX_CHARS = 300;
const short = (line: string): string => (line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line);

/** The first line about a fault of the run, or about checks that couldn't be verified. */
function firstProblem({ checks, run, verdict }: Report): readonly string[] {
  const errors = [
    ...run.faults,
    ...checks.flatMap((one) => (one.status === "errored" ? [one.message ?? ""] : [])),
  ];
  const all = errors.length > 0 || verdict !== "INCOMPLETE" ? errors.map(inLine) : missing(checks);
  return all.slice(0, 1).map((line) => `${line}${all.length > 1 ? ` (and ${all.length - 1} more)` : ""}`);
}

/** The terminal output with --quiet: the causes and the verdict, on fewer than ten lines. */
export function renderQuiet(given: Report, context: ReportContext, paint: Paint): string {
  const report = visibleReport(given);
  const judged = { ...report, checks: asCounted(report.checks, report.run) };
  const single = report.causes.length === 0 ? inReadingOrder(judged).slice(0, MAX_CAUSES) : [];
  return [
    ...causesFirst(judged, paint, MAX_CAUSES).filter((line) => line !== ""),
    ...single.map((check) => failureLine(check, paint)),
    ...firstProblem(report),
    ...verdictReasons(report).slice(0, 1).map(inLine),
  ]
    .map(short)
    .concat(verdictLine(report, context, paint))
    .join("\n");
}
