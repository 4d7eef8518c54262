/**
 * The timing of a courier search: the start for a scheduled delivery ("courier assignment starts before that
 * time"), and the alert when nobody was found (`unassigned_alert_at`, whose condition the specification
 * doesn't define).
 */

import type { Delivery } from "./model.ts";

/** The next change that time alone causes. */
export interface TimedChange {
  kind: "search" | "alert";
  /** On the integrator's clock. */
  at: number;
}

export interface CourierSearch {
  /** The start of the search; 0 for a delivery without a schedule. */
  startsAt(scheduledFor: number | null): number;
  /** Undefined if time alone causes no change. */
  nextChange(deps: { readonly courierSearch: CourierSearch }, delivery: Delivery): TimedChange | undefined;
  /** The time from the search's start to the alert. */
  alertAfterMs: number;
}

const minute = 60_000;
/** The time to find a courier and to collect the package. */
const lead = 45 * minute;

export const courierSearch: CourierSearch = {
  alertAfterMs: 10 * minute,

  startsAt: (scheduledFor) => (scheduledFor === null ? 0 : scheduledFor - lead),

  nextChange(deps, { status, scheduled_for, search_started_at, unassigned_alert_at }) {
    if (status === "QUEUED" && search_started_at === null) {
      return { kind: "search", at: deps.courierSearch.startsAt(scheduled_for) };
    }
    const searching = (status === "QUEUED" || status === "OFFERED") && search_started_at !== null;
    if (!searching || unassigned_alert_at !== null) return undefined;
    return { kind: "alert", at: search_started_at + deps.courierSearch.alertAfterMs };
  },
};
