import type { CleanupReport, RepeatedRequests } from "../core/cleanup-report.ts";
import type { Outcome } from "../core/grading/outcome.ts";

/** The least that a run knows of a check. */
export interface CheckId {
  /** `group.what-it-shows`. */
  readonly id: string;
  /** The clauses that it verifies. If absent, its id is shown instead. */
  readonly clauses?: readonly string[];
}

/** The end of a run: plain data without secrets. */
export interface RunSummary {
  /** All requests of the run, those of the cleanup included. */
  readonly requests: number;
  /** Repeated requests by operation. Absent if no connection was lost. */
  readonly repeated?: readonly RepeatedRequests[];
  /** Outages of the target, one line each. Absent if there were none. */
  readonly outages?: readonly string[];
  /** Why the target no longer answers; absent while it does. */
  readonly targetLost?: string;
  /** The first few requests that were under way when it stopped answering, as command lines. */
  readonly lastRequests?: readonly string[];
  /** Absent if nothing was cleaned up: the target is thrown away. */
  readonly cleanup?: CleanupReport;
  /** True for an aborted run that took too long to end: its records weren't cleaned up. */
  readonly abandoned?: true;
}

/** An event of a running run. */
export type RunEvent<Check extends CheckId> =
  /** A line for the person who watches. */
  | { readonly type: "notice"; readonly text: string }
  /** A failed check, as found: its result follows when it is decided. */
  | {
      readonly type: "failure";
      readonly provisional: true;
      readonly check: Check;
      readonly outcome: Outcome;
    }
  /**
   * The end of a check. A second result for the same check replaces the first: the target was later seen to go down at
   * the check's last request, or to serve an operation that had seemed to be missing.
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
