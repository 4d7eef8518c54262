import type { CleanupReport, RepeatedRequests } from "../../suites/core/cleanup-report.ts";
import type { Subject } from "../../suites/core/contract/claims.ts";
import type { Clause } from "../../suites/core/contract/clause-list.ts";
import type { ReportedExchange } from "../../suites/core/exchange.ts";
import type { ClauseResult } from "../../suites/core/grading/clauses/clause-results.ts";
import type { DeclarationFinding } from "../../suites/core/grading/clauses/declarations.ts";
import type { KnownClause } from "../../suites/core/grading/clauses/known-failures.ts";
import type { Grade, Verdict } from "../../suites/core/grading/grade.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { Suite, SuiteCheck } from "../../suites/core/grading/suite.ts";
import type { Comparison } from "../comparison/compare.ts";
import type { Cause } from "./causes/causes.ts";
import type { Diagnosis } from "./diagnosis/diagnosis.ts";
import type { UsualCauses } from "./diagnosis/usual-causes.ts";
import type { ReportedStatus } from "./status.ts";

/** A check in report.json, with its outcome. */
export interface ReportedCheck
  extends Pick<SuiteCheck, "id" | "title" | "clauses" | "level" | "severity">,
    Omit<Outcome, "status" | "wire"> {
  readonly status: ReportedStatus;
  /** The version that introduced the check. */
  readonly since: string;
}

/** The format of report.json. Version 2 has a result for each clause. */
export const SCHEMA_VERSION = 2;

export type ReportedClause = Omit<ClauseResult, "claim">;

/** The verdict under the current version, for a run that is judged as an earlier version. */
interface AsOf {
  readonly version: string;
  readonly present: string;
  readonly verdict_by_present: Verdict;
}

/** An entry of a baseline: a clause that is known to fail, and the reason why the failure is accepted. */
export interface KnownFailure extends KnownClause {
  readonly reason: string;
  /** True for a clause that fails only in some runs. A run in which it passes doesn't make the entry stale. */
  readonly intermittent?: boolean;
  /** The last day on which the failure is accepted, as YYYY-MM-DD. */
  readonly until?: string;
}

/** The comparison of a run with a baseline. */
export interface BaselineFindings {
  readonly file: string;
  /** The entries whose clause failed in the listed cases. */
  readonly known: readonly KnownFailure[];
  /** The entries whose clause passes now. */
  readonly stale: readonly KnownFailure[];
  /** The entries whose `until` has passed. Their clauses count as failed. */
  readonly overdue: readonly KnownFailure[];
}

/** The contents of report.json, as described by tools/report/formats/report.schema.json. */
export interface Report {
  readonly schema: string;
  readonly schema_version: typeof SCHEMA_VERSION;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    readonly subject: Subject;
    readonly document_sha256: string;
    /** The digest of the clauses that graded the run. Reports of older versions omit it. */
    readonly clause_list_sha256?: string;
  };
  /** Present if the run is judged as an earlier version. */
  readonly as_of?: AsOf;
  readonly target: { readonly url: string; readonly version: string | null };
  readonly run: {
    readonly started_at: string;
    readonly duration_ms: number;
    readonly seed: number;
    readonly jobs: number;
    readonly requests: number;
    readonly complete: boolean;
    /** Sentences about the run's end, if it was interrupted or lost its target. */
    readonly ended_early?: readonly string[];
    readonly filtered: boolean;
    /** True with --partial: a filtered run exits with 0 if its checks pass. */
    readonly partial: boolean;
    /** True with --strict: SHOULD clauses count like MUST clauses. */
    readonly strict: boolean;
    readonly faults: readonly string[];
  };
  readonly verdict: Grade["verdict"];
  readonly exit_code: number;
  readonly levels: Grade["levels"];
  readonly clauses: readonly ReportedClause[];
  readonly checks: readonly ReportedCheck[];
  /**
   * A line with the numbers of failed checks, explained failures and blocked checks. Absent if no check failed.
   */
  readonly headline?: string;
  /** The causes of more than one failure, beginning with the cause that explains most failures. */
  readonly causes: readonly Cause[];
  /** The known faults that explain the failures. Absent if no fault or more than three faults do. */
  readonly diagnoses?: readonly Diagnosis[];
  /** The usual causes of failures in a group of checks. Absent if no group has at least half of the failures. */
  readonly usual_causes?: UsualCauses;
  /** The requests that were sent again after their connection broke; absent if there were none. */
  readonly repeated_requests?: readonly RepeatedRequests[];
  /** A line for each restart of the target; absent if there were none. */
  readonly outages?: readonly string[];
  /** The declared limitations, with the run's observations; absent if there were none. */
  readonly declarations?: readonly DeclarationFinding[];
  /** The cleanup at the end of the run, by kind; absent if the target is discarded. */
  readonly cleaned_up?: CleanupReport["cleaned_up"];
  /** The objects that the run created and that are still on the target. */
  readonly left_behind?: CleanupReport["left_behind"];
  /** The objects that the target lost when it restarted; absent if there were none. */
  readonly gone?: CleanupReport["gone"];
  /** The comparison with the baseline, if the run had one. */
  readonly baseline?: BaselineFindings;
}

export interface ReportContext {
  readonly clauses: readonly Clause[];
  /** The names of the specification's parts, by their keys, in the specification's order. */
  readonly parts: Readonly<Record<string, string>>;
  /** The command that repeats a check of the run with `--only`, without secrets. */
  readonly repeatCommand: string;
  /** The command that repeats the run with the same checks and exit code. */
  readonly repeatRun: string;
  /** The operands at the end of these commands. */
  readonly repeatOperands?: string;
  /** All recorded exchanges, by check id. */
  readonly wire?: ReadonlyMap<string, readonly ReportedExchange[]>;
  readonly har?: boolean;
  /** The changes since the last run on the same target. */
  readonly changes?: Comparison;
  /** The text after the target's URL in the verdict line. */
  readonly remark?: string;
  /** The source of the declarations: a flag, an environment variable, or a member of the settings file. */
  readonly declaredIn?: string;
  /** The folder of the report's files; undefined without --report. */
  readonly reportFolder?: string;
}

/** The context of a report that another run wrote. */
export function contextOf(
  { target, run }: Report,
  suite: Pick<Suite, "clauses" | "command"> = { clauses: [], command: "" },
  parts: ReportContext["parts"] = {},
): ReportContext {
  const repeatCommand = `${suite.command} --url ${target.url} --seed ${run.seed}`;
  return { clauses: suite.clauses, parts, repeatCommand, repeatRun: repeatCommand };
}

/** The command that repeats a check of the run alone. */
export const commandOf = (
  { repeatCommand, repeatOperands }: Pick<ReportContext, "repeatCommand" | "repeatOperands">,
  check: string,
): string =>
  [repeatCommand, `--only ${check}`, repeatOperands].filter((part) => part !== undefined).join(" ");
