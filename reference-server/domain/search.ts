/**
 * The search for a courier as far as time rules it: when it begins for a scheduled delivery ("courier assignment starts
 * before that time"), and when someone should know that nobody was found (`unassigned_alert_at`, whose trigger the
 * specification leaves open).
 */

import type { Delivery } from "./model.ts";

/** What time does to a delivery next. */
export interface TimedChange {
  kind: "search" | "alert";
  /** On the integrator's clock. */
  at: number;
}

export interface CourierSearch {
  /** The earliest time at which a courier is looked for; 0 for a delivery without a schedule. */
  startsAt(scheduledFor: number | null): number;
  /** Undefined where time alone changes nothing. */
  nextChange(parts: { readonly courierSearch: CourierSearch }, delivery: Delivery): TimedChange | undefined;
  /** How long a search goes on before somebody is alerted. */
  alertAfterMs: number;
}

const minute = 60_000;
/** Time for finding a courier and for the way by the restaurant. */
const lead = 45 * minute;

export const courierSearch: CourierSearch = {
  alertAfterMs: 10 * minute,

  startsAt: (scheduledFor) => (scheduledFor === null ? 0 : scheduledFor - lead),

  nextChange(parts, { status, scheduled_for, search_started_at, unassigned_alert_at }) {
    if (status === "QUEUED" && search_started_at === null) {
      return { kind: "search", at: parts.courierSearch.startsAt(scheduled_for) };
    }
    const searching = (status === "QUEUED" || status === "OFFERED") && search_started_at !== null;
    if (!searching || unassigned_alert_at !== null) return undefined;
    return { kind: "alert", at: search_started_at + parts.courierSearch.alertAfterMs };
  },
};
