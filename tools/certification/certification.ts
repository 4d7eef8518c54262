import { isoInstant, monotonicNow, wallClock } from "../../suites/core/clock.ts";
import { readClauseList } from "../../suites/core/contract/clause-list.ts";
import type { ClauseResult } from "../../suites/core/grading/clauses/clause-results.ts";
import { EXIT_CODES } from "../../suites/core/grading/grade.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import { textOf } from "../../suites/core/json.ts";
import { machineErrorOf } from "../../suites/core/machine-error.ts";
import type { CheckId, RunEvent, RunSummary } from "../../suites/engine/events.ts";
import type { RunOptions } from "../../suites/engine/run.ts";
import { changeLine } from "../comparison/compare.ts";
import { rememberRun } from "../comparison/last-run.ts";
import { NAME, VERSION } from "../package.ts";
import { buildReport, clauseResultsOf, type EndedRun, type ReportedSubject } from "../report/build-report.ts";
import { type KnownFaults, knownServerFaults } from "../report/diagnosis/known-faults.ts";
import { type WrittenReport, writeReport } from "../report/files.ts";
import { publishToGitHub } from "../report/formats/github.ts";
import type { BaselineFindings, Report, ReportContext } from "../report/model.ts";
import { renderQuiet } from "../report/quiet.ts";
import { renderTerminal } from "../report/terminal.ts";
import { counted } from "../report/text/counted.ts";
import { painter } from "../report/text/paint.ts";
import type { Output } from "../terminal/output.ts";
import { Progress } from "../terminal/progress.ts";
import { UsageError } from "../usage-error.ts";
import { Bail } from "./bail.ts";
import type { FailedClause } from "./baseline.ts";
import { type Interruption, signalOf } from "./interruption.ts";
import { endData, eventData } from "./json-lines.ts";
import { type Plan, selectionFlags } from "./plan.ts";
import { StrayErrors } from "./stray-errors.ts";

/** The target of a certification, and how to run its checks. */
interface CertifiedSubject extends ReportedSubject {
  /** The text after the target's URL in the first line of the output, such as the program's name. */
  readonly remark?: string;
  /** A sentence about the expected duration; undefined if it is unknown or short. */
  readonly outlook?: string | undefined;
  /** The command that repeats the run, without secrets and without --only, --skip and similar flags. */
  readonly repeatCommand: string;
  /** The operands that follow `repeatCommand` and its flags. */
  readonly repeatOperands?: string;
  /** True if the user normally ends the run with Ctrl-C. */
  readonly endsByHand?: boolean;
  run(
    signals: Required<Pick<RunOptions, "signal" | "enough" | "giveUp" | "onRunning">>,
  ): AsyncIterable<RunEvent<CheckId>>;
}

/** The result of a run, before grading. */
interface ObservedRun extends Pick<EndedRun, "startedAt" | "durationMs" | "outcomes" | "cutShort"> {
  readonly bailed: string | undefined;
  /** Undefined if an error ended the run. */
  readonly summary: RunSummary | undefined;
  /** Errors of the suite outside any check, or the reason why the target couldn't be reached or started. */
  readonly suiteErrors: readonly string[];
}

/**
 * Runs the plan, and reports the results on the terminal and in the report's folder.
 * @throws UsageError if the report can't be written, after the results were printed
 */
export async function certifySubject(
  plan: Plan,
  subject: CertifiedSubject,
  output: Output,
  interruption: Interruption,
): Promise<Report> {
  announce(plan, subject, output);
  const observed = await run(plan, subject, output, interruption);
  const comparison = compareWithBaseline(plan, observed.outcomes);
  const knownFaults = await faultsToCompareWith(plan, observed);
  const report = buildReport(plan, subject, {
    ...endedRun(plan, observed, comparison.findings),
    knownFaults,
  });
  const changes = rememberRun({ ...report, target: { url: subject.remark?.trim() || subject.url } });
  const context = {
    clauses: plan.suite.clauses,
    parts: readClauseList().parts,
    repeatCommand: subject.repeatCommand,
    repeatRun: [subject.repeatCommand, ...selectionFlags(plan.settings), subject.repeatOperands]
      .filter((part) => part !== undefined)
      .join(" "),
    ...(subject.repeatOperands !== undefined && { repeatOperands: subject.repeatOperands }),
    wire: wireOf(observed),
    har: plan.settings.har === true,
    ...(changes && { changes }),
    ...(subject.remark !== undefined && { remark: subject.remark }),
    ...(plan.settings.sources && { declaredIn: plan.settings.sources.without }),
    ...(plan.settings.report !== undefined && { reportFolder: plan.settings.report }),
  };
  const written = writtenFiles(plan, report, context);
  const problems = [comparison.problem, written.problem].filter((problem) => problem !== undefined);
  const printed = problems.length === 0 ? report : { ...report, exit_code: EXIT_CODES.ERROR };
  const change = changes && changeLine(changes);
  if (change !== undefined) output.line(`Since the last run: ${change}.`);
  const render = output.quiet ? renderQuiet : renderTerminal;
  output.result(render(printed, context, painter(output.colours)));
  output.data(printed);
  output.event(endData(printed));
  publishToGitHub(printed, context, output);
  for (const line of report.run.ended_early ?? []) output.result(line);
  if (comparison.written !== undefined) output.line(comparison.written);
  for (const file of written.files) output.line(`Report: ${file}`);
  if (problems.length > 0) throw new UsageError(problems.join("; "));
  return report;
}

/**
 * The failures that known server defects cause, with which the report names the likely defect. Empty if no check failed,
 * because loading takes time.
 */
async function faultsToCompareWith({ suite }: Plan, { outcomes }: ObservedRun): Promise<KnownFaults> {
  const hasFailed = [...outcomes.values()].some(({ status }) => status === "failed");
  return hasFailed && suite.subject === "server" ? knownServerFaults() : {};
}

function announce(
  { suite, selected, claims, without, filtered, settings }: Plan,
  { url, remark = "", outlook }: CertifiedSubject,
  output: Output,
): void {
  const declared = without.length === 0 ? "" : `, without ${without.map(({ name }) => name).join(", ")}`;
  const claimed = suite.checks.filter(({ level }) => claims.includes(level)).length;
  output.line(
    `${NAME} ${VERSION}: ${filtered ? `${selected.length} of ${counted(claimed, "check")}, filtered,` : counted(claimed, "check")} on ${url}${remark}${suite.asOf ? `, as of ${suite.asOf.version}` : ""}, claims ${claims.join(", ")}${declared}, seed ${settings.seed}`,
  );
  if (outlook !== undefined) output.line(outlook);
}

async function run(
  { selected, settings }: Plan,
  subject: CertifiedSubject,
  output: Output,
  { first, second }: Interruption,
): Promise<ObservedRun> {
  const startedAt = wallClock();
  const start = monotonicNow();
  const outcomes = new Map<string, Outcome>();
  const progress = new Progress(output, selected);
  if (subject.endsByHand !== true) progress.startTimer();
  let summary: RunSummary | undefined;
  const bail = new Bail(selected, settings);
  const signals = { signal: signalOf(first), enough: bail.signal, giveUp: signalOf(second) };
  const onRunning = (ids: readonly string[]) => progress.running(ids);
  const stray = new StrayErrors();
  const suiteErrors: string[] = [];
  try {
    for await (const event of subject.run({ ...signals, onRunning })) {
      if (event.type === "notice") {
        const text = subject.redact.text(event.text);
        output.event({ type: "notice", text });
        progress.notice(text);
      } else if (event.type === "end") summary = event.summary;
      else {
        output.event(eventData(event));
        outcomes.set(event.check.id, event.outcome);
        progress.ended(event.check.id, event.outcome);
        bail.ended(event.check.id, event.outcome.status);
      }
    }
  } catch (error) {
    suiteErrors.push(faultText(error));
  } finally {
    stray.close();
    progress.end();
  }
  return {
    startedAt,
    durationMs: monotonicNow() - start,
    outcomes,
    cutShort: (signals.signal.aborted || bail.signal.aborted) && subject.endsByHand !== true,
    bailed: bail.reason,
    summary,
    suiteErrors: [...suiteErrors, ...stray.messages],
  };
}

function faultText(error: unknown): string {
  const { message } = machineErrorOf(error) ?? (error instanceof Error ? error : { message: textOf(error) });
  return message;
}

function endedRun(
  plan: Plan,
  { summary, ...observed }: ObservedRun,
  baseline: BaselineFindings | undefined,
): EndedRun {
  return {
    ...observed,
    requests: summary?.requests ?? 0,
    filtered: plan.filtered,
    earlyEnd: howItEnded({ summary, ...observed }),
    baseline,
    cleanedUp: summary?.cleanup,
    repeated: summary?.repeated,
    outages: summary?.outages,
  };
}

interface BaselineComparison {
  readonly findings: BaselineFindings | undefined;
  /** The sentence about the rewritten file. */
  readonly written?: string;
  /** Why the file wasn't rewritten. */
  readonly problem?: string;
}

/** Compares the outcomes with the baseline, and rewrites its file with --update-baseline. */
function compareWithBaseline(plan: Plan, outcomes: ReadonlyMap<string, Outcome>): BaselineComparison {
  const { baseline, settings } = plan;
  if (!baseline) return { findings: undefined };
  const results = clauseResultsOf(plan, outcomes);
  const today = isoInstant(wallClock()).slice(0, 10);
  const findings = baseline.findings(results, today);
  if (!settings.updateBaseline) return { findings };
  const failed = results.flatMap((result) => failedClause(result, outcomes) ?? []);
  try {
    const updated = baseline.update(results, failed, findings);
    return { findings: updated.findings(results, today), written: updated.writtenLine(baseline) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { findings, problem: error.message };
  }
}

/** The failure of a clause; undefined if it passed. Names the failed cases if other cases passed. */
function failedClause(
  { id, status, cases, checks }: ClauseResult,
  outcomes: ReadonlyMap<string, Outcome>,
): FailedClause | undefined {
  if (status !== "failed" && status !== "inconsistent") return undefined;
  const failed = checks.filter((check) => check.status === "failed" || check.status === "inconsistent");
  const isPartial = failed.every((check) => (outcomes.get(check.id)?.cases?.held.length ?? 0) > 0);
  return {
    clause: id,
    ...(isPartial && cases && { cases }),
    ...(status === "inconsistent" && { intermittent: true }),
  };
}

const NOT_CLEANED_UP =
  " Deliveries and webhooks that the run created were not cleaned up: they are still on the target.";

/** The recorded exchanges, by check id. */
const wireOf = ({ outcomes }: ObservedRun): NonNullable<ReportContext["wire"]> =>
  new Map([...outcomes].flatMap(([id, { wire }]) => (wire === undefined ? [] : [[id, wire]])));

/** Notes on a run that ended early. */
function howItEnded({ summary, cutShort, bailed = "Interrupted" }: ObservedRun): readonly string[] {
  const lines: string[] = [];
  if (summary?.targetLost !== undefined) {
    lines.push(`Cut short: ${summary.targetLost}. The report contains the results until then.`);
    const sent = (summary.lastRequests ?? []).map((request) => `  ${request}`);
    if (sent.length > 0) lines.push("Sent right before the target stopped responding:", ...sent);
  }
  const isCleanedUp = summary !== undefined && summary.abandoned === undefined;
  if (cutShort)
    lines.push(`${bailed}: the report contains the results until then.${isCleanedUp ? "" : NOT_CLEANED_UP}`);
  return lines;
}

const writtenFiles = ({ settings }: Plan, report: Report, context: ReportContext): WrittenReport =>
  settings.report === undefined
    ? { files: [], problem: undefined }
    : writeReport(settings.report, report, context, settings.sign);
