import { appendFileSync } from "node:fs";
import type { Output } from "../../terminal/output.ts";
import { withoutCommands } from "../../terminal/workflow-commands.ts";
import type { Report, ReportContext, ReportedCheck } from "../model.ts";
import { counted } from "../text/counted.ts";
import { asOfLine, declarationLine, declarationName, disproved, ofKind } from "../text/labels.ts";
import { visibleReport } from "../text/visible-report.ts";
import { renderSummary } from "./summary.ts";

/** The number of annotations of a kind that GitHub shows for a step. It drops the rest. */
const MAX_ANNOTATIONS = 10;

/**
 * A command's text, escaped so that it contains no other command. The runner finds the older format anywhere in a line.
 */
const data = (text: string): string =>
  withoutCommands(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

function annotations(
  command: "error" | "warning",
  checks: readonly Pick<ReportedCheck, "id" | "title" | "message">[],
  most = MAX_ANNOTATIONS,
): readonly string[] {
  const shown = checks.length > most ? checks.slice(0, most - 1) : checks;
  const rest = checks.slice(shown.length);
  return [
    ...shown.map(
      ({ id, title, message }) =>
        `::${command} title=${property(id)}::${data(`${title}\n${message ?? ""}`.trim())}`,
    ),
    ...(rest.length > 0
      ? [`::${command} title=${rest.length} more::${data(rest.map(({ id }) => id).join("\n"))}`]
      : []),
  ];
}

/** A notice about all failures of newer checks. */
function coming(report: Report): readonly string[] {
  const checks = ofKind(report, "coming_failure");
  if (checks.length === 0) return [];
  const lines = checks.map(({ id, message, title }) => `${id}: ${message ?? title}`);
  return [`::notice title=${property(asOfLine(report).join(" "))}::${data(lines.join("\n"))}`];
}

/** Workflow commands that annotate a job with its failures. */
export function renderAnnotations(
  given: Report,
  { declaredIn }: Pick<ReportContext, "declaredIn"> = {},
): readonly string[] {
  const report = visibleReport(given);
  const headline = report.headline ?? "";
  const explained = new Set(report.causes.flatMap(({ checks }) => checks));
  // A failure that a cause explains appears only in the cause's annotation.
  const failed = [...ofKind(report, "failed"), ...ofKind(report, "errored")].filter(
    ({ id }) => !explained.has(id),
  );
  const causes = report.causes.map(({ what, check, checks }) => ({
    id: check,
    title: `${counted(checks.length, "check")}: ${what}`,
    message: checks.join("\n"),
  }));
  const disproofs = disproved(report).map(
    (one) =>
      `::error title=${property(declarationName(one.name, declaredIn))}::${data(declarationLine(one, declaredIn))}`,
  );
  return [
    ...(causes.length > 0
      ? [`::error title=${property(headline)}::${data(causes.map(({ title }) => title).join("\n"))}`]
      : []),
    ...disproofs,
    ...annotations(
      "error",
      [...causes, ...failed],
      causes.length > 0 ? MAX_ANNOTATIONS - 1 : MAX_ANNOTATIONS,
    ),
    ...annotations("warning", [...ofKind(report, "inconsistent"), ...ofKind(report, "warning")]),
    ...coming(report),
  ];
}

/** In a GitHub job, writes annotations and the job summary. */
export function publishToGitHub(report: Report, context: ReportContext, output: Output): void {
  if (!output.github) return;
  for (const command of renderAnnotations(report, context)) output.github.command(command);
  const { summaryFile } = output.github;
  if (summaryFile === undefined) return;
  try {
    appendFileSync(summaryFile, renderSummary(report, context));
  } catch {
    output.line("The job's summary can't be written: GITHUB_STEP_SUMMARY isn't a writable file");
  }
}
