import type { CleanupReport } from "../core/cleanup-report.ts";
import type { RunResult } from "../core/confirmation/confirm.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import type { Redactor } from "../core/text/redact.ts";
import type { CheckId, RunSummary } from "./events.ts";
import type { RunOrder } from "./order.ts";

/** The mode of a check's run. */
export interface RunMode {
  /** "first" in its turn; "confirmation" once more after a failure. */
  readonly run: "first" | "confirmation";
  /** True if no other check runs meanwhile. */
  readonly alone: boolean;
  /** True if it gets an integrator that no check has used, or the nearest that the target allows. */
  readonly fresh: boolean;
  /** Resolves when all checks have ended, except those that last as long as the run. */
  readonly restOfRun: Promise<void>;
}

/** The result of one run of a check. */
export type CheckRun = RunResult;

/** The end of another check of the run. Undefined if that check waits for this one, or doesn't run any more. */
export type EndOf<Check> = (other: Check) => Promise<Outcome | undefined>;

/** An opened implementation under test: the engine's interface to a subject's driver. */
export interface OpenTarget<Check extends CheckId, Run extends CheckRun = CheckRun> {
  readonly order: RunOrder<Check>;
  /** Knows all secrets of the run. */
  readonly redact: Pick<Redactor, "text">;
  /** Runs one check and reports how it went, in plain data. */
  runOnce(check: Check, mode: RunMode): Promise<Run>;
  /** The reason why a check that ran can't run again: a scarce resource is used up. Undefined if it can. */
  lacksForAnotherRun?(check: Check): string | undefined;
  /** The outcome of a check that needn't run because a check that it builds on failed. Undefined if it has to run. */
  blockedBefore?(check: Check, endOf: EndOf<Check>): Promise<Outcome | undefined>;
  /** True if this run's failure blocks other checks: then it is decided at once. */
  blocksOthers?(check: Check, run: Run): boolean;
  /** The outcome in view of the other checks: a failure that another check already reports is blocked by that one. */
  outcomeAmongOthers?(check: Check, run: Run, endOf: EndOf<Check>): Promise<Outcome>;
  /** Called once all experiments have ended, before the passive checks; not of an aborted run. */
  experimentsEnded?(): Promise<void>;
  /** Outcomes that correct earlier ones, by the check's id. */
  corrections?(): ReadonlyMap<string, Outcome>;
  /** Runs that replace those of checks that were decided already, by the check's id: they are decided once more. */
  reopened?(): ReadonlyMap<string, Run>;
  /** Ends the work under way when a run is aborted. */
  stop?(): void;
  /** Removes the run's resources. */
  cleanUp?(ending: {
    readonly isInterrupted: boolean;
    readonly stopped: AbortSignal;
  }): Promise<CleanupReport>;
  summary(): Omit<RunSummary, "cleanup" | "abandoned">;
  close(): Promise<void>;
}

/** Input for opening a target. */
export interface RunStart<Check extends CheckId> {
  /** All checks of the run, each once. */
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
