import type { Claim } from "../../suites/core/claims.ts";
import { instant, realNow, stopwatch } from "../../suites/core/clock.ts";
import { grade } from "../../suites/core/grade.ts";
import { readLedger } from "../../suites/core/ledger.ts";
import type { Outcome } from "../../suites/core/outcome.ts";
import type { Redactor } from "../../suites/core/redact.ts";
import type { Suite, SuiteCheck } from "../../suites/core/suite.ts";
import { NAME, VERSION } from "../package.ts";
import { prepareReportFolder, writeReport } from "../report/files.ts";
import { tellGitHub } from "../report/github.ts";
import { documentDigest, type Report, reportedCheck, SCHEMA_ID } from "../report/model.ts";
import { painter, renderTerminal } from "../report/terminal.ts";
import type { CommonSettings } from "../settings/common.ts";
import type { Output } from "../terminal/output.ts";
import { Progress } from "../terminal/progress.ts";
import { UsageError } from "../usage-error.ts";
import { Baseline, type BaselineFindings } from "./baseline.ts";
import { select } from "./selection.ts";
import type { Run, RunListener } from "./vitest-run.ts";

/** What is to be run, made from the settings before the target is touched. */
export interface Plan {
  readonly suite: Suite;
  readonly settings: CommonSettings;
  readonly claims: readonly Claim[];
  readonly selected: readonly SuiteCheck[];
  /** Whether --only or --skip leave something out. */
  readonly filtered: boolean;
  readonly baseline: Baseline | undefined;
}

/**
 * Chooses the checks, and sees that a report can be written.
 * @throws UsageError in one line
 */
export function planRun(suite: Suite, settings: CommonSettings): Plan {
  const chosen = select(suite.checks, settings.only, settings.skip);
  const claims =
    settings.claims ?? suite.levels.filter((level) => suite.checks.some((check) => check.level === level));
  const selected = chosen.filter(({ level }) => claims.includes(level));
  if (selected.length === 0) {
    throw new UsageError(`no selected check belongs to the claims ${claims.join(", ")}: widen --claims`);
  }
  const baseline =
    settings.baseline === undefined
      ? undefined
      : Baseline.read(settings.baseline, suite, settings.updateBaseline);
  if (settings.report !== undefined) prepareReportFolder(settings.report);
  return { suite, settings, claims, selected, filtered: chosen.length !== suite.checks.length, baseline };
}

/** Holds the outcomes against the baseline, which is first written anew where that is asked for. */
function baselineFindings(
  { baseline, settings, suite }: Plan,
  outcomes: ReadonlyMap<string, Outcome>,
): BaselineFindings | undefined {
  const statusOf = (id: string) => outcomes.get(id)?.status;
  const today = instant(realNow()).slice(0, 10);
  const found = baseline?.findings(statusOf, today);
  if (!baseline || !found || !settings.updateBaseline) return found;
  const failed = suite.checks.map(({ id }) => id).filter((id) => statusOf(id) === "failed");
  return baseline.update(failed, found).findings(statusOf, today);
}

const NOT_TIDIED = " There was no time to cancel and delete what the run had made: it is still there.";

/** What is certified, and how a run on it goes. */
export interface Subject {
  readonly url: string;
  /** What stands behind the address in the first line. */
  readonly remark?: string;
  /** The API version that it tells, where it tells one. */
  readonly version?: string | undefined;
  /** Checks at a time. */
  readonly jobs: number;
  readonly redact: Redactor;
  /** The command that repeats the run, without its secrets. */
  readonly again: string;
  /** Whether a person's Ctrl-C is the way to end it, and not a run cut short. */
  readonly endsByHand?: boolean;
  start(listener: RunListener): Run;
}

/**
 * Runs the plan on the subject, and says what was found: on the terminal and in the report's folder.
 * @param interrupted resolves when the person ends the run
 */
export async function certifySubject(
  plan: Plan,
  subject: Subject,
  output: Output,
  interrupted: Promise<void>,
): Promise<Report> {
  const { suite, settings, claims, selected } = plan;
  const { redact } = subject;
  const startedAt = realNow();
  const start = stopwatch();
  output.line(
    `${NAME} ${VERSION}: ${selected.length} checks on ${subject.url}${subject.remark ?? ""}, claims ${claims.join(", ")}, seed ${settings.seed}`,
  );
  const outcomes = new Map<string, Outcome>();
  const progress = new Progress(output, selected.length);
  const run = subject.start({
    checkEnded: (id, outcome) => {
      outcomes.set(id, outcome);
      progress.ended(id, outcome.status);
    },
    notice: (text) => progress.notice(redact.text(text)),
  });
  let cutShort = false;
  void interrupted.then(() => {
    cutShort = subject.endsByHand !== true;
    run.stop();
  });
  const { requests, faults, ending } = await run.finished;
  progress.clear();
  const complete = !cutShort && !plan.filtered && ending?.gone === undefined;
  const baseline = baselineFindings(plan, outcomes);
  /** What the reports show of a check: a failure that is known of is marked so. */
  const outcomeOf = ({ id, level }: SuiteCheck): Outcome | undefined => {
    if (!claims.includes(level)) return { status: "not_claimed", duration_ms: 0, requests: 0 };
    const outcome = outcomes.get(id);
    const known = baseline?.known.some(({ check }) => check === id);
    return outcome && known ? { ...outcome, status: "known_failure" } : outcome;
  };
  const result = grade({
    levels: suite.levels,
    clauses: suite.clauses,
    checks: suite.checks.map((check) => ({
      id: check.id,
      clauses: check.clauses,
      status: outcomeOf(check)?.status,
    })),
    claims,
    incomplete: !complete,
    strict: settings.strict,
    outdatedBaseline: baseline !== undefined && baseline.stale.length + baseline.overdue.length > 0,
  });
  const broken = faults.length > 0 && !cutShort;
  const report: Report = {
    schema: SCHEMA_ID,
    suite: { name: NAME, version: VERSION, subject: suite.subject, document_sha256: documentDigest() },
    target: { url: subject.url, version: subject.version ?? null },
    run: {
      started_at: instant(startedAt),
      duration_ms: Math.round(stopwatch() - start),
      seed: settings.seed,
      jobs: subject.jobs,
      requests,
      complete,
      strict: settings.strict,
      faults: faults.map((fault) => redact.text(fault)),
    },
    verdict: broken ? "ERROR" : result.verdict,
    exit_code: broken ? 3 : result.exit_code,
    levels: result.levels,
    clauses: result.clauses.map(({ id, level, subject: of, status, checks: ids }) => ({
      id,
      level,
      subject: of,
      status,
      checks: ids,
    })),
    checks: suite.checks.map((check) => reportedCheck(check, outcomeOf(check))),
    ...(baseline && { baseline }),
    ...ending?.tidied,
  };
  const paint = painter(output.colours);
  const context = { clauses: suite.clauses, parts: readLedger().parts, again: subject.again };
  output.result(renderTerminal(report, context, paint));
  output.data(report);
  tellGitHub(report, context, output);
  if (ending?.gone !== undefined) {
    output.result(`Cut short: ${ending.gone}. What had ended by then is reported.`);
  }
  if (cutShort) output.result(`Interrupted: what had ended by then is reported.${ending ? "" : NOT_TIDIED}`);
  if (settings.report !== undefined) {
    for (const file of writeReport(settings.report, report, context)) output.line(`Report: ${file}`);
  }
  return report;
}
