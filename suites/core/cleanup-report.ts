import type { Outcome } from "./grading/outcome.ts";

/** Things of one kind that a run has made and that are still on the target, for one reason: plain data. */
export interface LeftBehind {
  readonly kind: "delivery" | "webhook" | "store" | "integrator";
  readonly count: number;
  /** The first of them. */
  readonly ids: readonly string[];
  /** Why they are still there. */
  readonly why: string;
}

/** Requests of one operation whose connection was lost before an answer, and that went out once more. */
export interface RepeatedRequests {
  readonly operation: string;
  readonly count: number;
}

/** What a run says of its end, when all its checks are over. */
export interface RunSummary {
  /** All requests of the run, those that tidied up included. */
  readonly requests: number;
  /** Those that went out once more, by operation; none where no connection was lost. */
  readonly repeated?: readonly RepeatedRequests[];
  /** How the subject went down and came back, a line each time; none where it never did. */
  readonly outages?: readonly string[];
  /** How checks ended, by their ids, of which something else had been told before. */
  readonly turned?: readonly (readonly [string, Outcome])[];
  /** Why the target no longer answers; undefined while it does. */
  readonly targetLost?: string;
  /** What was under way when it stopped answering, as command lines without secrets; the first few. */
  readonly lastRequests?: readonly string[];
  /** Undefined where nothing was tidied up: the target is thrown away. */
  readonly cleanup?: CleanupReport;
}

export interface CleanupReport {
  /** Deliveries that were cancelled, and webhooks that were deleted, at the end. */
  readonly cleaned_up: { readonly deliveries: number; readonly webhooks: number };
  readonly left_behind: readonly LeftBehind[];
  /** What the run had made on a target that came back with nothing of what it had known; not there where it is another. */
  readonly gone?: readonly Pick<LeftBehind, "kind" | "count">[];
}
