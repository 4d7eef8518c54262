import type { CleanupReport, RepeatedRequests } from "../core/cleanup-report.ts";
import type { Outcome } from "../core/grading/outcome.ts";

/** The properties of a check that a run needs. */
export interface CheckId {
  /** `group.what-it-shows`. */
  readonly id: string;
  /** The clauses that it verifies. If absent, its id is shown instead. */
  readonly clauses?: readonly string[];
}

/** The end of a run: plain data without secrets. */
export interface RunSummary {
  /** All requests of the run, including the cleanup. */
  readonly requests: number;
  /** Repeated requests by operation. Absent if no connection was lost. */
  readonly repeated?: readonly RepeatedRequests[];
  /** Outages of the target, one line each. Absent if there were none. */
  readonly outages?: readonly string[];
  /** Why the target no longer responds; absent otherwise. */
  readonly targetLost?: string;
  /** The first requests that were pending when the target stopped responding, as curl commands. */
  readonly lastRequests?: readonly string[];
  /** Absent without a cleanup, because the target is discarded. */
  readonly cleanup?: CleanupReport;
  /** True for an aborted run that didn't end in time. Nothing was cleaned up. */
  readonly abandoned?: true;
}

/** An event of a running run. */
export type RunEvent<Check extends CheckId> =
  /** A line for the terminal. */
  | { readonly type: "notice"; readonly text: string }
  /** A failed check as soon as it is found, except after a list that may have lagged. Its confirmed result follows. */
  | {
      readonly type: "failure";
      readonly provisional: true;
      readonly check: Check;
      readonly outcome: Outcome;
    }
  /**
   * The result of a check. A later result of the same check replaces it, for example if the target stopped at
   * the check's last request.
   */
  | { readonly type: "result"; readonly check: Check; readonly outcome: Outcome }
  /** The last event. */
  | { readonly type: "end"; readonly summary: RunSummary };

/** The outcomes of a run's checks by id. */
export async function outcomesOf<Check extends CheckId>(
  events: AsyncIterable<RunEvent<Check>>,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for await (const event of events) {
    if (event.type === "result") outcomes.set(event.check.id, event.outcome);
  }
  return outcomes;
}
