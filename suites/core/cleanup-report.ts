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

export interface CleanupReport {
  /** Deliveries that were cancelled, and webhooks that were deleted, at the end. */
  readonly cleaned_up: { readonly deliveries: number; readonly webhooks: number };
  readonly left_behind: readonly LeftBehind[];
  /** Records that are gone because the target came back without its data. Absent if the target is another one. */
  readonly gone?: readonly Pick<LeftBehind, "kind" | "count">[];
}
