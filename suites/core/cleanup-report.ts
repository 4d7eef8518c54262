/** Objects of one kind that a run created and left on the target for the same reason. */
export interface LeftBehind {
  readonly kind: "delivery" | "webhook" | "store" | "integrator";
  readonly count: number;
  /** The ids of the first objects. */
  readonly ids: readonly string[];
  readonly why: string;
}

/** Requests of one operation that were sent again, because their connection broke before a response. */
export interface RepeatedRequests {
  readonly operation: string;
  readonly count: number;
}

export interface CleanupReport {
  /** Counts of cancelled deliveries and deleted webhooks. */
  readonly cleaned_up: { readonly deliveries: number; readonly webhooks: number };
  readonly left_behind: readonly LeftBehind[];
  /** Objects that the target lost in a restart. Absent if none were lost, or if a different target responds at the URL. */
  readonly gone?: readonly Pick<LeftBehind, "kind" | "count">[];
}
