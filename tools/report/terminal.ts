import { withOperationNames } from "../../suites/core/contract/operation-names.ts";
import { groupByReason } from "../../suites/core/grading/skip-reasons.ts";
import { asCounted, isFirstToFix, nearestFirst } from "./causes/causes.ts";
import { fitLabel } from "./diagnosis/diagnosis.ts";
import { usualCausesHeading } from "./diagnosis/usual-causes.ts";
import type { KnownFailure, Report, ReportContext, ReportedCheck } from "./model.ts";
import { blamedClauses, caseSuffix, clausesLine, knownFailureLine } from "./text/clause-labels.ts";
import { counted } from "./text/counted.ts";
import { failureInFull } from "./text/failure-in-full.ts";
import {
  asOfLine,
  countedKind,
  declarationLine,
  disproved,
  exitLabel,
  filteredLine,
  goneLine,
  ofKind,
  repeatedLine,
  verdictReasons,
} from "./text/labels.ts";
import type { Paint, Style } from "./text/paint.ts";
import { visibleReport } from "./text/visible-report.ts";

const VERDICT_STYLE: Readonly<Record<string, Style>> = {
  CONFORMANT: ["bold", "green"],
  NONCONFORMANT: ["bold", "red"],
  INCOMPLETE: ["bold", "yellow"],
  ERROR: ["bold", "magenta"],
};

const faultAdvice = (subject: string): string =>
  "Whose fault is it? Read the clause in the specification, then the request and response. If these contradict the\n" +
  `specification, the ${subject} is wrong. If the check requires more than the specification, the suite is wrong.\n` +
  "docs/disputes.md says how to report that.";

function table(rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row, line) =>
      row
        .map((cell, column) => {
          const padded = cell.padEnd(widths[column] ?? 0);
          if (line === 0) return paint("dim", padded);
          const style = VERDICT_STYLE[cell];
          return style ? paint(style, padded) : padded;
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Keeps untrusted text within one line. */
export const inLine = (text: string): string => text.replaceAll("\n", "\\n");

const MAX_NAMED = 4;

/** A line for each reason, with the number and the names of its checks. */
function reasonLines(checks: readonly ReportedCheck[]): readonly string[] {
  return [...groupByReason(checks)].map(([message, sameReason]) => {
    const named = sameReason.slice(0, MAX_NAMED).map(({ id }) => id);
    const rest = sameReason.length > MAX_NAMED ? [`${sameReason.length - MAX_NAMED} more`] : [];
    return `  ${String(sameReason.length).padStart(3)}  ${inLine(message)} (${[...named, ...rest].join(", ")})`;
  });
}

/** A line for each reason why checks could not be verified. Blocked checks are listed with their cause instead. */
export const missing = (checks: readonly ReportedCheck[]): readonly string[] =>
  reasonLines(checks.filter(({ status }) => status === "not_verified"));

/** The number of causes listed at the top. */
const MAX_CAUSES = 9;

/**
 * The first lines of the result: the number of failures and causes, and a line for each cause.
 */
export function causesFirst(
  { headline, causes, checks }: Report,
  paint: Paint,
  most = MAX_CAUSES,
): readonly string[] {
  if (headline === undefined) return [];
  const shown = causes.slice(0, causes.length > most ? most - 1 : most);
  const lines = shown.map(({ what, check, checks: explained }) => {
    const others = explained.filter((id) => id !== check);
    const named = others.slice(0, MAX_NAMED - 1);
    const rest = others.length - named.length;
    const all = [check, ...named, ...(rest > 0 ? [`${rest} more`] : [])];
    return `  ${String(explained.length).padStart(3)}  ${inLine(what)} (${all.join(", ")})`;
  });
  const more = causes.length - shown.length;
  const isFirst = causes.slice(0, 1).some((cause) => isFirstToFix(cause, checks));
  return [
    paint("bold", `${headline}${lines.length === 0 ? "" : isFirst ? ". Begin with the first:" : ":"}`),
    ...lines,
    ...(more > 0 ? [`       and ${more} causes of fewer failures`] : []),
    "",
  ];
}

/** Known faults that match the run, and the usual causes of such failures. */
function looksLike({ diagnoses = [], usual_causes }: Report, paint: Paint): readonly string[] {
  return [
    ...(diagnoses.length > 0
      ? [paint("bold", "Known faults that fail the same checks (yours may be another):")]
      : []),
    ...diagnoses.map((diagnosis) => `  ${inLine(diagnosis.fault)} (${fitLabel(diagnosis)})`),
    ...(usual_causes ? [usualCausesHeading(usual_causes)] : []),
    ...(usual_causes?.causes ?? []).map((cause) => `  - ${inLine(cause)}`),
    ...(diagnoses.length > 0 || usual_causes ? [""] : []),
  ];
}

/** The number of failures shown in full on the terminal. Each other failure gets a line. */
const MAX_DETAILS = 3;

const isWarning = ({ severity }: ReportedCheck): boolean => severity === "SHOULD";

const mustFirst = (checks: readonly ReportedCheck[]): readonly ReportedCheck[] =>
  checks.toSorted((one, other) => Number(isWarning(one)) - Number(isWarning(other)));

/** The failures in the order in which to read them: MUST before SHOULD, and checks to fix first at the beginning. */
export function inReadingOrder(report: Report): readonly ReportedCheck[] {
  const failed = mustFirst(report.checks.filter(({ status }) => status === "failed"));
  const first = report.causes
    .filter((cause) => isFirstToFix(cause, report.checks))
    .flatMap((cause) => failed.filter(({ id }) => id === cause.check));
  const others = failed.filter((check) => !first.includes(check));
  return mustFirst([...first, ...nearestFirst(others)]);
}

/** The assumed height of the screen. After more lines, the first lines of the result have scrolled away. */
const SCREEN_LINES = 40;

/** The operation of a failure, if its message doesn't name it: ` (GET /v1/deliveries)`. */
function operationSuffix({ curl, exchanges, message = "" }: ReportedCheck): string {
  const exchange = curl === undefined ? undefined : exchanges?.at(-1);
  const name = exchange && withOperationNames(exchange.operation);
  return name === undefined || message.includes(name) ? "" : ` (${name})`;
}

/** Names the check to fix first again, if the result's first lines have scrolled off the screen. */
function beginWith(report: Report, above: readonly string[]): readonly string[] {
  const [first] = inReadingOrder(report);
  if (!first || above.join("\n").split("\n").length <= SCREEN_LINES) return [];
  const failure = `${inLine(first.message ?? first.title)}${operationSuffix(first)}`;
  return [`Begin with: ${first.id}${inLine(caseSuffix(first))} — ${failure}`];
}

/** A line about a failure, with its clauses. */
export const failureLine = (check: ReportedCheck, paint: Paint): string =>
  `  ${isWarning(check) ? paint("yellow", "warning") : paint("red", "failed ")}  ${check.id} (${inLine(blamedClauses(check))}): ${inLine(check.message ?? check.title)}`;

/** A line for each failure, and the first failures in full. */
function failures(report: Report, context: ReportContext, paint: Paint): readonly string[] {
  const inOrder = inReadingOrder(report);
  // If a MUST check fails, no SHOULD failure is shown in full.
  const musts = inOrder.filter((check) => !isWarning(check));
  const detailed = (musts.length > 0 ? musts : inOrder).slice(0, MAX_DETAILS);
  const rest = inOrder.length - detailed.length;
  const lines = inOrder.map((check) => failureLine(check, paint));
  return [
    ...(rest > 0 ? [...lines, ""] : []),
    ...detailed.map((check) => `${failureInFull(check, context, paint)}\n`),
    ...(rest > 0
      ? [`Details of the other ${rest}: in report.html (--report DIR), or with --only ID.\n`]
      : []),
    ...(inOrder.length > 0 ? [`${faultAdvice(report.suite.subject)}\n`] : []),
  ];
}

/** A line for each check that failed in some of its runs and passed in others. */
function inconsistent(report: Report, { reportFolder }: ReportContext, paint: Paint): readonly string[] {
  const lines = ofKind(report, "inconsistent").map(
    ({ id, message, title, confirmation = "" }) =>
      `${paint("yellow", "INCONSISTENT")}  ${id}: ${inLine(message ?? title)} (${inLine(confirmation)})`,
  );
  if (lines.length === 0) return [];
  const files = reportFolder === undefined ? "--report DIR writes" : "The report shows";
  return [...lines, `${files} the steps of a failed run and of a passed run.`, ""];
}

/** A line for each entry of the baseline that is known, stale or overdue. */
function knownFailures({ baseline }: Report, paint: Paint): readonly string[] {
  if (!baseline) return [];
  const line = (word: string, entry: KnownFailure, rest: string) =>
    `${paint(word === "KNOWN" ? "yellow" : ["bold", "red"], word.padEnd(7))}  ${knownFailureLine(entry)}${rest}`;
  const lines = [
    ...baseline.known.map((entry) => line("KNOWN", entry, "")),
    ...baseline.stale.map((entry) =>
      line("STALE", entry, `: its clause passes; remove the entry from ${baseline.file}`),
    ),
    ...baseline.overdue.map((entry) =>
      line(
        "OVERDUE",
        entry,
        `: its date has passed; fix the failure, or change the date in ${baseline.file}`,
      ),
    ),
  ];
  return lines.length > 0 ? [...lines, ""] : [];
}

/** A line for each failure that doesn't count, because the check is newer than the version of --as-of. */
function comingFailures(report: Report, paint: Paint): readonly string[] {
  const lines = ofKind(report, "coming_failure").map(
    ({ id, since, message, title }) =>
      `${paint("yellow", "UPCOMING")}  ${id} (${since}): ${inLine(message ?? title)}`,
  );
  return lines.length > 0 ? [...lines, ""] : [];
}

/** The declared limitations that the run didn't disprove. */
function declared(
  { declarations = [] }: Report,
  { declaredIn }: Pick<ReportContext, "declaredIn">,
  paint: Paint,
): readonly string[] {
  const held = declarations.filter(({ disproved_by }) => disproved_by.length === 0);
  if (held.length === 0) return [];
  return [
    paint("bold", "Declared:"),
    ...held.map((one) => `  ${inLine(declarationLine(one, declaredIn))}`),
    "",
  ];
}

/** The number of ids of objects that are still on the target. report.json contains more. */
const MAX_IDS = 3;

/** The objects that the run cleaned up, and the objects that are still on the target. */
function leftBehind(report: Report): readonly string[] {
  const { cleaned_up, left_behind = [] } = report;
  if (!cleaned_up) return [];
  const { deliveries, webhooks } = cleaned_up;
  const left = left_behind.map(({ kind, count, ids, why }) => {
    const named = kind === "delivery" || kind === "webhook" ? ids.slice(0, MAX_IDS) : [];
    const list = named.length > 0 ? `: ${named.join(", ")}` : "";
    const more = named.length > 0 && count > named.length ? ", …" : "";
    return inLine(`  ${countedKind({ kind, count })} (${why})${list}${more}`);
  });
  return [
    `Cleaned up: ${countedKind({ kind: "delivery", count: deliveries })} cancelled, ${countedKind({ kind: "webhook", count: webhooks })} deleted.${left.length > 0 ? " Still on the target:" : ""}`,
    ...left,
    ...goneLine(report),
    "",
  ];
}

/** The statuses of checks that were excluded or not applicable. */
const NOT_SELECTED: readonly ReportedCheck["status"][] = ["not_run", "not_claimed", "not_applicable"];

/** The last line: the verdict with the target. */
export function verdictLine(report: Report, { remark = "" }: ReportContext, paint: Paint): string {
  const ran = report.checks.filter(({ status }) => !NOT_SELECTED.includes(status));
  const passed = ran.filter(({ status }) => status === "passed").length;
  const seconds = (report.run.duration_ms / 1000).toFixed(1);
  const style = VERDICT_STYLE[report.verdict] ?? "bold";
  return `${paint(style, report.verdict)}  (exit ${exitLabel(report)})  ${counted(ran.length, "check")}, ${passed > 0 && passed === ran.length ? "all" : passed} passed, ${report.run.requests} requests, ${seconds} s, seed ${report.run.seed}, on ${report.target.url}${remark}`;
}

/** The terminal output after a run. */
export function renderTerminal(given: Report, context: ReportContext, paint: Paint): string {
  const report = visibleReport(given);
  const errored = report.checks.filter(({ status }) => status === "errored");
  const unverified = missing(report.checks);
  const columns = (level: string) => [
    `${level} passed`,
    "failed",
    "not verified",
    ...(report.declarations ? ["not applicable"] : []),
  ];
  const rows = [
    ["level", "verdict", ...columns("MUST"), ...columns("SHOULD")],
    ...Object.entries(report.levels).map(([claim, { verdict, must, should }]) => {
      const counts = [must, should].flatMap((c) =>
        [c.passed, c.failed, c.not_verified, ...(report.declarations ? [c.not_applicable] : [])].map(String),
      );
      return [claim, verdict, ...counts];
    }),
  ];
  const judged = { ...report, checks: asCounted(report.checks, report.run) };
  const above = [
    ...causesFirst(judged, paint),
    ...looksLike(report, paint),
    ...failures(judged, context, paint),
    ...inconsistent(report, context, paint),
    ...errored.map(
      ({ id, message = "", machine_error }) =>
        `${paint("magenta", "ERRORED")}  ${id}: ${inLine(message)}  (${machine_error ? "a resource limit on this machine" : "a bug in the suite"})`,
    ),
    ...disproved(report).map(
      (one) =>
        `${paint(["bold", "red"], "DISPROVED")}  ${inLine(declarationLine(one, context.declaredIn))}\n`,
    ),
    ...report.run.faults.map((fault) => `${paint("magenta", "FAULT")}  ${inLine(fault)}`),
    ...knownFailures(report, paint),
    ...comingFailures(report, paint),
    ...(unverified.length > 0 ? [paint("bold", "Not verified:"), ...unverified, ""] : []),
    ...declared(report, context, paint),
    ...repeatedLine(report).flatMap((line) => [line, ""]),
    ...leftBehind(report),
    table(rows, paint),
    clausesLine(report),
    "",
    ...filteredLine(report),
    ...asOfLine(report),
  ];
  return [
    ...above,
    ...beginWith(judged, above),
    ...verdictReasons(report).map(inLine),
    verdictLine(report, context, paint),
  ].join("\n");
}
