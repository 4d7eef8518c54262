import type { CleanupReport } from "../core/cleanup-report.ts";
import type { RunResult } from "../core/confirmation/confirm.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import type { Redactor } from "../core/text/redact.ts";
import type { CheckId, RunSummary } from "./events.ts";
import type { RunOrder } from "./order.ts";

/** The mode of a check's run. */
export interface RunMode {
  /** "first" for the check's first run, "confirmation" for another run after a failure. */
  readonly run: "first" | "confirmation";
  /** True if no other check runs at the same time. */
  readonly alone: boolean;
  /** True to use an integrator that no other check has used, as far as the target allows. */
  readonly fresh: boolean;
  /** Resolves when all checks have ended, except whole-run checks. */
  readonly restOfRun: Promise<void>;
}

/** The result of one run of a check. */
export type CheckRun = RunResult;

/** The outcome of another check. Undefined if that check waits for this one, or doesn't run any more. */
export type OutcomeOf<Check> = (other: Check) => Promise<Outcome | undefined>;

/** An opened target: the engine's interface to a suite's driver. */
export interface OpenTarget<Check extends CheckId, Run extends CheckRun = CheckRun> {
  readonly order: RunOrder<Check>;
  /** Contains all secrets of the run. */
  readonly redact: Pick<Redactor, "text">;
  /** Runs one check, and returns its result as plain data. */
  runOnce(check: Check, mode: RunMode): Promise<Run>;
  /** Why a check can't run again: a scarce resource is used up. Undefined if it can. */
  lacksForAnotherRun?(check: Check): string | undefined;
  /**
   * The outcome of a check that needn't run, because a check that it depends on failed. Undefined otherwise.
   */
  blockedBefore?(check: Check, outcomeOf: OutcomeOf<Check>): Promise<Outcome | undefined>;
  /** True if this failure blocks other checks. It is then decided immediately. */
  blocksOthers?(check: Check, run: Run): boolean;
  /**
   * The outcome, which also depends on other checks: a failure that another check already reports is blocked by
   * that check.
   */
  outcomeAmongOthers?(check: Check, run: Run, outcomeOf: OutcomeOf<Check>): Promise<Outcome>;
  /** Called after the last active check, before the passive checks. Not called in an aborted run. */
  activeChecksEnded?(): Promise<void>;
  /** Corrections of earlier outcomes, by check id. */
  corrections?(): ReadonlyMap<string, Outcome>;
  /** Runs that replace those of decided checks, by check id. The checks are decided again. */
  reopened?(): ReadonlyMap<string, Run>;
  /** Ends the current work of an aborted run. */
  stop?(): void;
  /** Removes the run's objects from the target. */
  cleanUp?(ending: {
    readonly isInterrupted: boolean;
    readonly stopped: AbortSignal;
  }): Promise<CleanupReport>;
  summary(): Omit<RunSummary, "cleanup" | "abandoned">;
  close(): Promise<void>;
}

/** The options for opening a target. */
export interface RunStart<Check extends CheckId> {
  readonly checks: readonly Check[];
  readonly seed: number;
  readonly notice: (text: string) => void;
  readonly signal: AbortSignal;
}

/** An implementation under test. */
export interface RunTarget<Check extends CheckId, Run extends CheckRun = CheckRun> {
  /** True if an aborted run still grades its checks on the observations so far. */
  readonly gradesWhenAborted?: boolean;
  /** @throws if the target can't be opened */
  open(start: RunStart<Check>): Promise<OpenTarget<Check, Run>>;
}
