import type { CleanupReport, RepeatedRequests } from "../../suites/core/cleanup-report.ts";
import type { Subject } from "../../suites/core/contract/claims.ts";
import type { Clause } from "../../suites/core/contract/ledger.ts";
import type { ReportedExchange } from "../../suites/core/exchange.ts";
import type { DeclarationFinding } from "../../suites/core/grading/declarations.ts";
import type { ClauseGrade, Grade, Verdict } from "../../suites/core/grading/grade.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import type { Cause } from "./causes.ts";
import type { Diagnosis } from "./diagnosis/diagnosis.ts";
import type { ReportedStatus } from "./status.ts";

/** One check in report.json: what it is, and how it ended. */
export interface ReportedCheck
  extends Pick<SuiteCheck, "id" | "title" | "clauses" | "level" | "severity">,
    Omit<Outcome, "status" | "wire"> {
  readonly status: ReportedStatus;
  /** The version that brought it. */
  readonly since: string;
}

/** What a run that is judged as an earlier version would be by the present one. */
export interface AsOf {
  /** That is judged as. */
  readonly version: string;
  /** The suite's own. */
  readonly present: string;
  readonly verdict_by_present: Verdict;
}

/** A failure that is known of, and why it is lived with. */
export interface KnownFailure {
  readonly check: string;
  readonly reason: string;
  /** It fails in some runs only: one that passes doesn't make the entry stale. */
  readonly intermittent?: boolean;
  /** The last day on which it is accepted, as YYYY-MM-DD. */
  readonly until?: string;
}

/** What a baseline says of a run. */
export interface BaselineFindings {
  readonly file: string;
  /** Entries that are right: the check failed, and may. */
  readonly known: readonly KnownFailure[];
  /** Entries whose check passes by now. */
  readonly stale: readonly KnownFailure[];
  /** Entries whose day has passed: their checks count as failed. */
  readonly overdue: readonly KnownFailure[];
}

/** report.json; its JSON Schema is tools/report/formats/report.schema.json. */
export interface Report {
  readonly schema: string;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    readonly subject: Subject;
    readonly document_sha256: string;
    /** Of the clauses that it was graded by; reports of older versions don't name it. */
    readonly ledger_sha256?: string;
  };
  /** Where it isn't judged as the suite is. */
  readonly as_of?: AsOf;
  readonly target: { readonly url: string; readonly version: string | null };
  readonly run: {
    readonly started_at: string;
    readonly duration_ms: number;
    readonly seed: number;
    readonly jobs: number;
    readonly requests: number;
    readonly complete: boolean;
    /** How it ended, line by line, where it was interrupted or lost its target. */
    readonly ended_early?: readonly string[];
    /** Whether --only or --skip left some of the suite out. */
    readonly filtered: boolean;
    /** Whether such a run was to end in 0 where the checks that are left hold. */
    readonly partial: boolean;
    /** Whether a SHOULD counted like a MUST. */
    readonly strict: boolean;
    readonly faults: readonly string[];
  };
  readonly verdict: Grade["verdict"];
  readonly exit_code: number;
  readonly levels: Grade["levels"];
  readonly clauses: readonly Omit<ClauseGrade, "claim">[];
  readonly checks: readonly ReportedCheck[];
  /** How many checks failed, how far causes explain that, and how many others are held up; not there where none failed. */
  readonly headline?: string;
  /** What explains more than one failure; what explains the most stands first. */
  readonly causes: readonly Cause[];
  /** Known faults that the run looks like, the likeliest first; not there where none fits. */
  readonly diagnoses?: readonly Diagnosis[];
  /** Requests whose connection was lost before an answer, and that went out once more; not there where none was. */
  readonly repeated_requests?: readonly RepeatedRequests[];
  /** How the subject went down and came back, a line each time; not there where it never did. */
  readonly outages?: readonly string[];
  /** What was declared not to occur, and what the run saw of it; not there where nothing was declared. */
  readonly declarations?: readonly DeclarationFinding[];
  /** What the run had made and undid at its end, by kind; not there where the target is thrown away. */
  readonly cleaned_up?: CleanupReport["cleaned_up"];
  /** What the run has made and what is still on the target. */
  readonly left_behind?: CleanupReport["left_behind"];
  /** What was gone with the memory of a target that came back as another; not there otherwise. */
  readonly gone?: CleanupReport["gone"];
  /** How the run compares with the known failures, where a file of them was given. */
  readonly baseline?: BaselineFindings;
}

/** What a rendering needs beside the report. */
export interface ReportContext {
  /** Every clause of the subject. */
  readonly clauses: readonly Clause[];
  /** Names of the specification's parts, by their keys, in its order. */
  readonly parts: Readonly<Record<string, string>>;
  /** The command that repeats a check of the run with `--only`, without secrets. */
  readonly repeatCommand: string;
  /** The command that repeats the run: the same checks too, and the same end. */
  readonly repeatRun: string;
  /** What stands behind all flags of that command. */
  readonly repeatOperands?: string;
  /** All that checks sent and got, by their ids; of those that are there. */
  readonly wire?: ReadonlyMap<string, readonly ReportedExchange[]>;
  /** What stands behind the target's address. */
  readonly remark?: string;
  /** Where the declarations stand: a flag, a variable of the environment, or a member of the settings file. */
  readonly declaredIn?: string;
  /** Where files are written; undefined where none are. */
  readonly reportFolder?: string;
}

/** The command that repeats one check of the run alone. */
export const commandOf = (
  { repeatCommand, repeatOperands }: Pick<ReportContext, "repeatCommand" | "repeatOperands">,
  check: string,
): string =>
  [repeatCommand, `--only ${check}`, repeatOperands].filter((part) => part !== undefined).join(" ");
