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

/** One check in report.json, with its outcome. */
export interface ReportedCheck
  extends Pick<SuiteCheck, "id" | "title" | "clauses" | "level" | "severity">,
    Omit<Outcome, "status" | "wire"> {
  readonly status: ReportedStatus;
  /** The version that introduced it. */
  readonly since: string;
}

/** The format of report.json. Version 2 has a result for each clause. */
export const SCHEMA_VERSION = 2;

export type ReportedClause = Omit<ClauseResult, "claim">;

/** The outcome under the current version, if a run is judged as an earlier one. */
interface AsOf {
  readonly version: string;
  readonly present: string;
  readonly verdict_by_present: Verdict;
}

/** A clause that is known to fail, and the reason why that is accepted. */
export interface KnownFailure extends KnownClause {
  readonly reason: string;
  /** True for a clause that only fails in some runs. A pass doesn't make the entry outdated. */
  readonly intermittent?: boolean;
  /** The last day on which it is accepted, as YYYY-MM-DD. */
  readonly until?: string;
}

/** The comparison of a run with a baseline. */
export interface BaselineFindings {
  readonly file: string;
  /** Valid entries: the clause failed as listed. */
  readonly known: readonly KnownFailure[];
  /** Entries whose clause passes now. */
  readonly stale: readonly KnownFailure[];
  /** Entries whose `until` has passed. Their clauses count as failed. */
  readonly overdue: readonly KnownFailure[];
}

/** report.json; its JSON Schema is tools/report/formats/report.schema.json. */
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
    /** Notes on how the run ended, if it was interrupted or lost its target. */
    readonly ended_early?: readonly string[];
    readonly filtered: boolean;
    /** True if a filtered run exits with 0 when its checks pass. */
    readonly partial: boolean;
    /** True if a SHOULD counts like a MUST. */
    readonly strict: boolean;
    readonly faults: readonly string[];
  };
  readonly verdict: Grade["verdict"];
  readonly exit_code: number;
  readonly levels: Grade["levels"];
  readonly clauses: readonly ReportedClause[];
  readonly checks: readonly ReportedCheck[];
  /**
   * The numbers of failed checks, explained failures and blocked checks, in one line. Absent if none failed.
   */
  readonly headline?: string;
  /** Causes of more than one failure; the one that explains most is first. */
  readonly causes: readonly Cause[];
  /** Known faults that explain the failures. Absent if none does, or more than three. */
  readonly diagnoses?: readonly Diagnosis[];
  /** What usually causes such failures. Absent if they have no group in common. */
  readonly usual_causes?: UsualCauses;
  /** Requests that were sent again after their connection broke; absent if there were none. */
  readonly repeated_requests?: readonly RepeatedRequests[];
  /** Restarts of the target, a line each; absent if there were none. */
  readonly outages?: readonly string[];
  /** Declared limitations, with the run's observations; absent if none were declared. */
  readonly declarations?: readonly DeclarationFinding[];
  /** The cleanup at the end of the run, by kind; absent if the target is discarded. */
  readonly cleaned_up?: CleanupReport["cleaned_up"];
  /** Objects that the run created and left on the target. */
  readonly left_behind?: CleanupReport["left_behind"];
  /** Objects that the target lost in a restart. Absent if there are none. */
  readonly gone?: CleanupReport["gone"];
  /** The comparison with the known failures, if a file of them was given. */
  readonly baseline?: BaselineFindings;
}

export interface ReportContext {
  readonly clauses: readonly Clause[];
  /** Names of the specification's parts, by their keys, in its order. */
  readonly parts: Readonly<Record<string, string>>;
  /** The command that repeats a check of the run with `--only`, without secrets. */
  readonly repeatCommand: string;
  /** The command that repeats the run with the same checks and exit code. */
  readonly repeatRun: string;
  /** The operands at the end of that command. */
  readonly repeatOperands?: string;
  /** All recorded exchanges, by check id. */
  readonly wire?: ReadonlyMap<string, readonly ReportedExchange[]>;
  readonly har?: boolean;
  /** The changes since the last run on the same target. */
  readonly changes?: Comparison;
  /** The text after the target's URL. */
  readonly remark?: string;
  /** The source of the declarations: a flag, an environment variable, or a member of the settings file. */
  readonly declaredIn?: string;
  /** The folder of the report's files; undefined if none are written. */
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

/** The command that repeats one check of the run alone. */
export const commandOf = (
  { repeatCommand, repeatOperands }: Pick<ReportContext, "repeatCommand" | "repeatOperands">,
  check: string,
): string =>
  [repeatCommand, `--only ${check}`, repeatOperands].filter((part) => part !== undefined).join(" ");
