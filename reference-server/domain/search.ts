/**
 * The search for a courier as far as time rules it: when it begins for a scheduled delivery ("courier assignment starts
 * before that time"), and when someone should know that nobody was found (`unassigned_alert_at`, whose trigger the
 * specification leaves open).
 */

import { type Change, moved, recordChange } from "../deliveries/changes.ts";
import type { Parts } from "../parts.ts";
import type { Stamp } from "../records/change-sequence.ts";
import type { DueWork } from "../scheduler/advance.ts";
import type { Delivery } from "./model.ts";

/** What time does to a delivery next. */
export interface Step {
  kind: "search" | "alert";
  /** On the integrator's clock. */
  at: number;
}

export interface Search {
  /** The earliest time at which a courier is looked for; 0 for a delivery without a schedule. */
  startsAt(scheduledFor: number | null): number;
  /** Undefined where time alone changes nothing. */
  nextStep(parts: Parts, delivery: Delivery): Step | undefined;
  /** How long a search goes on before somebody is alerted. */
  alertAfterMs: number;
}

const minute = 60_000;
/** Time for finding a courier and for the way by the restaurant. */
const lead = 45 * minute;

export const search: Search = {
  alertAfterMs: 10 * minute,

  startsAt: (scheduledFor) => (scheduledFor === null ? 0 : scheduledFor - lead),

  nextStep(parts, { status, scheduled_for, search_started_at, unassigned_alert_at }) {
    if (status === "QUEUED" && search_started_at === null) {
      return { kind: "search", at: parts.search.startsAt(scheduled_for) };
    }
    const searching = (status === "QUEUED" || status === "OFFERED") && search_started_at !== null;
    if (!searching || unassigned_alert_at !== null) return undefined;
    return { kind: "alert", at: search_started_at + parts.search.alertAfterMs };
  },
};

/** Starts searches and raises alerts, one delivery at a time, the earliest first. */
export const searchWork: DueWork = {
  next: async (parts, integratorId) => (await parts.records.due.first(parts.database, integratorId))?.due_at,

  run: (parts, integratorId, at) => changeDue(parts, integratorId, at, parts.instances.id),
};

/**
 * Changes the first delivery that is due at `at`, as long as it is `mover` who moves the integrator's clock; null for a
 * clock that runs by itself.
 */
export async function changeDue(
  parts: Parts,
  integratorId: string,
  at: number,
  mover: string | null,
): Promise<void> {
  await parts.transaction(parts, async (tx) => {
    const stamp = await parts.records.ledger.take(tx, integratorId, at);
    // Under the ledger row: someone else may just have done it, or made the clock stand.
    const integrator = await parts.records.integrators.findById(tx, integratorId);
    if (integrator?.clock_moved_by !== mover) return;
    const due = await parts.records.due.first(tx, integratorId);
    if (due === undefined || due.due_at > at) return;
    const delivery = await parts.records.deliveries.find(tx, integratorId, due.id);
    const step = delivery && parts.search.nextStep(parts, delivery);
    if (delivery === undefined || step === undefined) throw new Error("time changes nothing on what is due");
    await recordChange(parts, tx, changeBy(parts, delivery, step, stamp));
  });
}

/** An alert is a change that no event kind is for; the list of changed deliveries shows it. */
function changeBy(parts: Parts, delivery: Delivery, step: Step, stamp: Stamp): Change {
  if (step.kind === "search") return moved(parts, delivery, "search_started", {}, stamp);
  return { kind: null, after: parts.revise(delivery, { unassigned_alert_at: stamp.at }, stamp, null) };
}
