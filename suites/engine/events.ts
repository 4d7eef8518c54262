import type { CleanupReport, RepeatedRequests } from "../core/cleanup-report.ts";
import type { Outcome } from "../core/grading/outcome.ts";

/** The least that a run knows of a check. */
export interface CheckId {
  /** `group.what-it-shows`. */
  readonly id: string;
  /** The clauses that it verifies; its id stands for them where it names none. */
  readonly clauses?: readonly string[];
}

/** How a run ended: plain data, without secrets. */
export interface RunSummary {
  /** All requests of the run, those of the cleanup included. */
  readonly requests: number;
  /** Requests that were sent once more, by operation; absent where no connection was lost. */
  readonly repeated?: readonly RepeatedRequests[];
  /** How the target went down and came back, a line each time; absent where it never did. */
  readonly outages?: readonly string[];
  /** Why the target no longer answers; absent while it does. */
  readonly targetLost?: string;
  /** The first few requests that were under way when it stopped answering, as command lines. */
  readonly lastRequests?: readonly string[];
  /** Absent where nothing was cleaned up: the target is thrown away. */
  readonly cleanup?: CleanupReport;
  /** Of an aborted run: it took too long to end, and what it had made wasn't cleaned up. */
  readonly abandoned?: true;
}

/** What a run reports while it goes on. */
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
   * How a check ended. A second one for the same check replaces the first: the target was seen later to go down at the
   * check's last request, or to serve an operation that had seemed to be missing.
   */
  | { readonly type: "result"; readonly check: Check; readonly outcome: Outcome }
  /** The last event. */
  | { readonly type: "end"; readonly summary: RunSummary };

/** How the checks of a run ended, by their ids. */
export async function outcomesOf<Check extends CheckId>(
  events: AsyncIterable<RunEvent<Check>>,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for await (const event of events) {
    if (event.type === "result") outcomes.set(event.check.id, event.outcome);
  }
  return outcomes;
}
