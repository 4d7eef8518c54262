/** Timed changes of deliveries: start the search for a courier, and alert if it fails. */
import { type Change, moved, recordChange } from "../deliveries/changes.ts";
import type { Delivery } from "../domain/model.ts";
import type { TimedChange } from "../domain/search.ts";
import type { DueWork, Parts } from "../parts.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";

/** Starts searches and raises alerts, one delivery at a time, the earliest first. */
export const searchWork: DueWork = {
  next: async (parts, integratorId) =>
    (await parts.records.dueDeliveries.first(parts.database, integratorId))?.due_at,

  run: (parts, integratorId, at) => changeDue(parts, integratorId, at, parts.instances.id),
};

/**
 * Applies the first timed change due at `at`, as long as `mover` is the instance that advances the integrator's clock;
 * null for a running clock.
 */
export async function changeDue(
  parts: Parts,
  integratorId: string,
  at: number,
  mover: string | null,
): Promise<void> {
  await parts.transaction(parts, async (tx) => {
    const stamp = await parts.records.changeSequence.takeNext(tx, integratorId, at);
    // Reads it under the lock, because another transaction may have applied the change or frozen the clock.
    const integrator = await parts.records.integrators.findById(tx, integratorId);
    if (integrator?.clock_moved_by !== mover) return;
    const due = await parts.records.dueDeliveries.first(tx, integratorId);
    if (due === undefined || due.due_at > at) return;
    const delivery = await parts.records.deliveries.find(tx, integratorId, due.id);
    const step = delivery && parts.courierSearch.nextChange(parts, delivery);
    if (delivery === undefined || step === undefined) throw new Error("time changes nothing on what is due");
    await recordChange(parts, tx, changeBy(parts, delivery, step, stamp));
  });
}

/** An alert has no event type. The list of changed deliveries shows it. */
function changeBy(parts: Parts, delivery: Delivery, step: TimedChange, stamp: ChangeStamp): Change {
  if (step.kind === "search") return moved(parts, delivery, "search_started", {}, stamp);
  return { kind: null, after: parts.revise(delivery, { unassigned_alert_at: stamp.at }, stamp, null) };
}
