import type { CleanupReport, RepeatedRequests } from "../../suites/core/cleanup-report.ts";
import { isoInstant } from "../../suites/core/clock.ts";
import type { Claim } from "../../suites/core/contract/claims.ts";
import type { Declaration } from "../../suites/core/contract/clause-list.ts";
import { withOperationNames } from "../../suites/core/contract/operation-names.ts";
import {
  type ClauseResult,
  clauseResult,
  type GradedCheck,
} from "../../suites/core/grading/clauses/clause-results.ts";
import {
  type DeclarationFinding,
  declarationFindings,
  declaredClauses,
  declaredOutcome,
} from "../../suites/core/grading/clauses/declarations.ts";
import { isKnownFailure, knownClauses } from "../../suites/core/grading/clauses/known-failures.ts";
import { EXIT_CODES, type Grade, grade } from "../../suites/core/grading/grade.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import type { Redactor } from "../../suites/core/text/redact.ts";
import { serverGuidance } from "../../suites/server/guidance.ts";
import { NAME, VERSION } from "../package.ts";
import type { JudgedSuite } from "../versions/as-of.ts";
import { CURRENT_VERSION, releasedVersions, sinceVersions, type Version } from "../versions/versions.ts";
import { asCounted, causesLine, causesOf } from "./causes/causes.ts";
import { diagnosesOf } from "./diagnosis/diagnosis.ts";
import { faultsNotRuledOut, type KnownFaults } from "./diagnosis/known-faults.ts";
import { usualCausesOf } from "./diagnosis/usual-causes.ts";
import {
  type BaselineFindings,
  type KnownFailure,
  type Report,
  type ReportedCheck,
  SCHEMA_VERSION,
} from "./model.ts";
import { clauseListDigest, documentDigest } from "./statement/digests.ts";

const SCHEMA_ID = "https://courier-conform.invalid/schemas/report-2.json";

/** The parts of a run's plan that go into the report. */
interface ReportedPlan {
  readonly suite: JudgedSuite;
  readonly claims: readonly Claim[];
  readonly without: readonly Declaration[];
  readonly selected: readonly SuiteCheck[];
  readonly settings: { readonly seed: number; readonly strict: boolean; readonly partial: boolean };
}

export interface ReportedSubject {
  readonly url: string;
  readonly version?: string | undefined;
  readonly jobs: number;
  readonly redact: Redactor;
}

export interface EndedRun {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly requests: number;
  readonly suiteErrors: readonly string[];
  /** The outcomes of checks by id. Other checks didn't run. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** True if --only or --skip excluded checks. */
  readonly filtered: boolean;
  /** Sentences about an interruption or the loss of the target; empty if the run was complete. */
  readonly earlyEnd: readonly string[];
  /** True if the user ended the run early, which explains its faults. */
  readonly cutShort: boolean;
  readonly baseline?: BaselineFindings | undefined;
  /** The known faults that failures are compared with. */
  readonly knownFaults?: KnownFaults | undefined;
  /** The cleanup at the end of the run; undefined if there was none. */
  readonly cleanedUp?: CleanupReport | undefined;
  /** The requests that were sent again, by operation; undefined if there were none. */
  readonly repeated?: readonly RepeatedRequests[] | undefined;
  /** A line for each restart of the target; undefined if there were none. */
  readonly outages?: readonly string[] | undefined;
}

const NOT_RUN = { status: "not_run", duration_ms: 0, requests: 0 } as const;
const NOT_CLAIMED: Outcome = { status: "not_claimed", duration_ms: 0, requests: 0 };

/** A check's outcome in the report, in which known failures and declared limitations have their own statuses. */
function shownOutcome(
  { claims, without }: Pick<ReportedPlan, "claims" | "without">,
  { outcomes, baseline }: Pick<EndedRun, "outcomes" | "baseline">,
): (check: SuiteCheck) => Outcome | undefined {
  return (check) => {
    if (!claims.includes(check.level)) return NOT_CLAIMED;
    const outcome = outcomes.get(check.id);
    if (!outcome) return undefined;
    return isKnownFailure(gradedCheck(check, outcome), baseline?.known ?? [])
      ? { ...outcome, status: "known_failure" }
      : declaredOutcome(check, outcome, without);
  };
}

/** The parts of a check that grading uses. */
const gradedCheck = (
  { id, clauses }: SuiteCheck,
  outcome: Outcome | undefined,
  known: readonly KnownFailure[] = [],
): GradedCheck => {
  const graded = {
    ...outcome,
    ...(outcome && withOperationNamesIn(outcome)),
    id,
    clauses,
    status: outcome?.status,
  };
  return { ...graded, known: knownClauses(graded, known) };
};

/** The results of all clauses, without the baseline and with --strict. */
export function clauseResultsOf(
  plan: Pick<ReportedPlan, "suite" | "claims" | "without">,
  outcomes: EndedRun["outcomes"],
): readonly ClauseResult[] {
  const outcomeOf = shownOutcome(plan, { outcomes });
  const checks = judgedChecks(plan.suite).map((check) => gradedCheck(check, outcomeOf(check)));
  return plan.suite.clauses.map((clause) =>
    clauseResult(clause, checks, { claims: plan.claims, strict: true }),
  );
}

const isOutdated = (baseline: BaselineFindings | undefined): boolean =>
  baseline !== undefined && baseline.stale.length + baseline.overdue.length > 0;

function gradeRun(
  { suite, claims, selected, settings }: ReportedPlan,
  { filtered, earlyEnd, baseline }: EndedRun,
  outcomeOf: (check: SuiteCheck) => Outcome | undefined,
  declarations: readonly DeclarationFinding[],
): Grade {
  const endedEarly = earlyEnd.length > 0;
  return grade({
    levels: suite.levels,
    clauses: suite.clauses,
    checks: judgedChecks(suite).map((check) => gradedCheck(check, outcomeOf(check), baseline?.known)),
    claims,
    incomplete: filtered || endedEarly,
    ...(settings.partial &&
      filtered && { partial: { checks: new Set(selected.map(({ id }) => id)), endedEarly } }),
    strict: settings.strict,
    outdatedBaseline: isOutdated(baseline),
    declared: declaredClauses(declarations),
  });
}

/** The checks that count towards the verdict. */
const judgedChecks = ({ checks, asOf }: JudgedSuite): readonly SuiteCheck[] =>
  checks.filter(({ id }) => !asOf?.newer.has(id));

/** True if the check failed only at clauses that are newer than the version of --as-of. */
function comesLater(check: SuiteCheck, outcome: Outcome | undefined, { asOf }: JudgedSuite): boolean {
  if (!asOf || outcome?.status !== "failed") return false;
  const failed = outcome.clause_findings?.failed;
  return asOf.newer.has(check.id) || failed?.some((id) => check.clauses.includes(id)) === false;
}

type Sentences = Partial<Pick<Outcome, "message" | "subject" | "at" | "cases" | "fault">>;

/** The sentences of an outcome, with operations named as in the specification, such as `POST /v1/quotes`. */
const withOperationNamesIn = ({ message, subject, at, cases, fault }: Sentences): Sentences => ({
  ...(message !== undefined && { message: withOperationNames(message) }),
  ...(subject !== undefined && { subject: withOperationNames(subject) }),
  ...(at !== undefined && { at: withOperationNames(at) }),
  ...(cases !== undefined && {
    cases: {
      failed: cases.failed.map(withOperationNames),
      held: cases.held.map(withOperationNames),
      not_reached: cases.not_reached.map(withOperationNames),
    },
  }),
  ...(fault !== undefined && { fault: withOperationNames(fault) }),
});

function reportedCheck(
  check: SuiteCheck,
  outcome: Outcome | undefined,
  suite: JudgedSuite,
  since: (id: string) => string,
): ReportedCheck {
  const { id, title, clauses, level, severity } = check;
  const {
    wire: _,
    kind: __,
    ...ended
  }: Outcome | (typeof NOT_RUN & { wire?: undefined; kind?: undefined }) = outcome ?? NOT_RUN;
  const known = { id, title, clauses, level, severity, since: since(id) };
  const told = { ...known, ...ended, ...(outcome && withOperationNamesIn(outcome)) };
  return comesLater(check, outcome, suite) ? { ...told, status: "coming_failure" } : told;
}

/** The verdict under the current version, if the run is judged as an earlier version. */
function asOfFindings(plan: ReportedPlan, run: EndedRun): Pick<Report, "as_of"> {
  const { suite, without } = plan;
  if (!suite.asOf) return {};
  const present = { ...plan, suite: suite.asOf.currentSuite };
  const outcomeOf = shownOutcome(present, run);
  const declarations = declarationFindings(present.suite.checks, without, outcomeOf);
  const { verdict } = gradeRun(present, run, outcomeOf, declarations);
  return {
    as_of: { version: suite.asOf.version, present: CURRENT_VERSION, verdict_by_present: verdict },
  };
}

/**
 * The report of a run. With faults of the run itself, the verdict is ERROR, unless a check failed.
 * @param released the released versions, oldest first, for `since`
 */
export function buildReport(
  plan: ReportedPlan,
  subject: ReportedSubject,
  run: EndedRun,
  released: readonly Version[] = releasedVersions(),
): Report {
  const { suite, settings, without } = plan;
  const outcomeOf = shownOutcome(plan, run);
  const declarations = declarationFindings(judgedChecks(suite), without, outcomeOf);
  const graded = gradeRun(plan, run, outcomeOf, declarations);
  const since = sinceVersions(released);
  const checks = suite.checks.map((check) => reportedCheck(check, outcomeOf(check), suite, since));
  const counted = asCounted(checks, settings);
  const causes = causesOf(counted);
  const headline = causesLine(causes, counted);
  const passed = new Set(counted.flatMap(({ id, status }) => (status === "passed" ? id : [])));
  const possible = faultsNotRuledOut(run.knownFaults ?? {}, suite.checks, passed);
  const diagnoses = diagnosesOf(counted, possible);
  // A fault that matches the run is more specific than the usual causes for a group of checks.
  const usualCauses =
    suite.subject === "server" && diagnoses.length === 0 ? usualCausesOf(counted, serverGuidance) : undefined;
  // A failure counts even if the run had faults.
  const isBroken = run.suiteErrors.length > 0 && !run.cutShort;
  return {
    schema: SCHEMA_ID,
    schema_version: SCHEMA_VERSION,
    suite: {
      name: NAME,
      version: VERSION,
      subject: suite.subject,
      document_sha256: documentDigest(),
      clause_list_sha256: clauseListDigest(),
    },
    ...asOfFindings(plan, run),
    target: { url: subject.url, version: subject.version ?? null },
    run: {
      started_at: isoInstant(run.startedAt),
      duration_ms: Math.round(run.durationMs),
      seed: settings.seed,
      jobs: subject.jobs,
      requests: run.requests,
      complete: !run.filtered && run.earlyEnd.length === 0,
      ...(run.earlyEnd.length > 0 && { ended_early: run.earlyEnd }),
      filtered: run.filtered,
      partial: settings.partial,
      strict: settings.strict,
      faults: run.suiteErrors.map((fault) => subject.redact.text(fault)),
    },
    verdict: isBroken && graded.verdict !== "NONCONFORMANT" ? "ERROR" : graded.verdict,
    exit_code:
      isBroken && graded.exit_code !== EXIT_CODES.NONCONFORMANT ? EXIT_CODES.ERROR : graded.exit_code,
    levels: graded.levels,
    clauses: graded.clauses.map(({ claim: _, ...clause }) => clause),
    checks,
    ...(headline !== undefined && { headline }),
    causes,
    ...(diagnoses.length > 0 && { diagnoses }),
    ...(usualCauses && { usual_causes: usualCauses }),
    ...(run.repeated && { repeated_requests: run.repeated }),
    ...(run.outages && { outages: run.outages.map((line) => subject.redact.text(line)) }),
    ...(declarations.length > 0 && { declarations }),
    ...(run.baseline && { baseline: run.baseline }),
    ...run.cleanedUp,
  };
}
