import { fitLabel } from "../diagnosis/diagnosis.ts";
import { usualCausesHeading } from "../diagnosis/usual-causes.ts";
import type { Report, ReportContext, ReportedCheck } from "../model.ts";
import { escaped } from "../template.ts";
import { blamedClauses, knownFailureLine } from "../text/clause-labels.ts";
import { failureText } from "../text/failure-text.ts";
import {
  asOfLine,
  declarationLine,
  durationLabel,
  exitLabel,
  filteredLine,
  goneLine,
  ofKind,
  repeatedLine,
  unverified,
  verdictMeaning,
  verdictReasons,
} from "../text/labels.ts";
import { visibleReport } from "../text/visible-report.ts";

/** A job summary is limited to 1 MiB. The other files contain the remaining failures. */
const MAX_FAILURES = 40;
const MAX_FAILURE_CHARS = 6_000;

/** Text in a Markdown code block, delimited by more backticks than the text contains. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}text\n${text}\n${ticks}`;
}

/** Inline text, escaped for Markdown and HTML. */
const plain = (text: string): string =>
  escaped(text.replaceAll(/\s+/g, " ").replace(/[\\`*_{}[\]()#+!|~]/g, "\\$&"));

const cut = (text: string): string =>
  text.length > MAX_FAILURE_CHARS ? `${text.slice(0, MAX_FAILURE_CHARS)}…` : text;

function failures(
  title: string,
  checks: readonly ReportedCheck[],
  context: ReportContext,
): readonly string[] {
  if (checks.length === 0) return [];
  const shown = checks
    .slice(0, MAX_FAILURES)
    .flatMap((check) => [
      `<details><summary><code>${escaped(check.id)}</code> (${escaped(blamedClauses(check))}) ${escaped(check.title)}</summary>`,
      "",
      codeBlock(cut(failureText(check, context))),
      "",
      "</details>",
      "",
    ]);
  const rest = checks.length - MAX_FAILURES;
  return [`### ${title} (${checks.length})`, "", ...shown, ...(rest > 0 ? [`… and ${rest} more.`, ""] : [])];
}

/** A Markdown list with a heading; empty if there are no items. */
const headedList = (heading: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [heading, "", ...items.map((item) => `- ${item}`), ""];

/** The known faults that explain the run, and the usual causes of such failures. */
const possibleCauses = ({ diagnoses = [], usual_causes }: Report): readonly string[] => [
  ...headedList(
    "Known faults that fail the same checks (yours may be another):",
    diagnoses.map((one) => `${plain(one.fault)} (${plain(fitLabel(one))})`),
  ),
  ...(usual_causes
    ? headedList(plain(usualCausesHeading(usual_causes)), usual_causes.causes.map(plain))
    : []),
];

/** The contents of summary.md: the job summary, in Markdown for GitHub and GitLab. */
export function renderSummary(given: Report, context: ReportContext): string {
  const report = visibleReport(given);
  const { verdict, target, run, levels, baseline, left_behind = [] } = report;
  const rows = Object.entries(levels).map(
    ([level, { verdict: own, must, should }]) =>
      `| ${level} | ${own.replace("_", " ")} | ${must.passed} | ${must.failed} | ${must.not_verified} | ${should.passed} | ${should.failed} | ${should.not_verified} |`,
  );
  const missing = [...unverified(report)].map(([reason, checks]) => `- ${checks.length} × ${plain(reason)}`);
  const causes = report.causes.map(
    ({ what, check, checks }) => `- ${checks.length} × ${plain(what)} (begin with \`${check}\`)`,
  );
  const outdated = [...(baseline?.stale ?? []), ...(baseline?.overdue ?? [])].map(
    (entry) => `- ${plain(knownFailureLine(entry))}`,
  );
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`### ${title}`, "", ...lines, ""] : [];
  return [
    `## ${verdict}: ${plain(target.url)}`,
    "",
    `${verdictMeaning(report)} Exit code ${exitLabel(report)}.`,
    "",
    ...verdictReasons(report).flatMap((line) => [plain(line), ""]),
    ...(run.ended_early ?? []).flatMap((line) => [plain(line), ""]),
    ...asOfLine(report).flatMap((line) => [plain(line), ""]),
    ...(report.headline === undefined ? [] : [`### ${report.headline}`, "", ...causes, ""]),
    ...possibleCauses(report),
    "| Level | Verdict | MUST passed | failed | not verified | SHOULD passed | failed | not verified |",
    "|---|---|--:|--:|--:|--:|--:|--:|",
    ...rows,
    "",
    ...section(
      "Declared",
      (report.declarations ?? []).map((one) => `- ${plain(declarationLine(one, context.declaredIn))}`),
    ),
    ...section(
      "Faults of the run",
      run.faults.map((fault) => `- ${plain(fault)}`),
    ),
    ...failures("Failed", ofKind(report, "failed"), context),
    ...failures("Inconsistent", ofKind(report, "inconsistent"), context),
    ...failures("Errored", ofKind(report, "errored"), context),
    ...failures("Warnings", ofKind(report, "warning"), context),
    ...failures("Known failures", ofKind(report, "known_failure"), context),
    ...failures("Upcoming", ofKind(report, "coming_failure"), context),
    ...section("Outdated entries of the baseline", outdated),
    ...section("Not verified", missing),
    ...section(
      "Still on the target",
      left_behind.map(({ kind, count, why }) => `- ${count} × ${kind}: ${plain(why)}`),
    ),
    ...section(
      "Outages of the target",
      (report.outages ?? []).map((line) => `- ${plain(line)}`),
    ),
    ...[...filteredLine(report), ...goneLine(report), ...repeatedLine(report)].flatMap((line) => [
      plain(line),
      "",
    ]),
    `${run.requests} requests in ${durationLabel(run.duration_ms)}, seed ${run.seed}. Repeat with:`,
    "",
    codeBlock(context.repeatRun),
    "",
  ].join("\n");
}
