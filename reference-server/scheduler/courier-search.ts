/** Timed changes of deliveries: the start of the search for a courier, and the alert if the search fails. */
import { type Change, moved, recordChange } from "../deliveries/changes.ts";
import type { Dependencies, DueWork } from "../dependencies.ts";
import type { Delivery } from "../domain/model.ts";
import type { TimedChange } from "../domain/search.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";

/** Starts searches and raises alerts, one delivery at a time, the earliest first. */
export const searchWork: DueWork = {
  next: async (deps, integratorId) =>
    (await deps.records.dueDeliveries.first(deps.database, integratorId))?.due_at,

  run: (deps, integratorId, at) => changeDue(deps, integratorId, at, deps.instances.id),
};

/**
 * Applies the first timed change due at `at`, as long as `mover` is the instance that advances the
 * integrator's clock; null for a running clock.
 */
export async function changeDue(
  deps: Dependencies,
  integratorId: string,
  at: number,
  mover: string | null,
): Promise<void> {
  await deps.transaction(async (tx) => {
    const stamp = await deps.records.changeSequence.takeNext(tx, integratorId, at);
    // Reads the integrator under the lock, because another transaction may have applied the change or frozen the clock.
    const integrator = await deps.records.integrators.findById(tx, integratorId);
    if (integrator?.clock_moved_by !== mover) return;
    const due = await deps.records.dueDeliveries.first(tx, integratorId);
    if (due === undefined || due.due_at > at) return;
    const delivery = await deps.records.deliveries.find(tx, integratorId, due.id);
    const step = delivery && deps.courierSearch.nextChange(deps, delivery);
    if (delivery === undefined || step === undefined) throw new Error("the due delivery has no timed change");
    await recordChange(deps, tx, changeBy(deps, delivery, step, stamp));
  });
}

/** An alert has no event, but the delivery appears in the list of changed deliveries. */
function changeBy(deps: Dependencies, delivery: Delivery, step: TimedChange, stamp: ChangeStamp): Change {
  if (step.kind === "search") return moved(deps, delivery, "search_started", {}, stamp);
  return { kind: null, after: deps.revise(delivery, { unassigned_alert_at: stamp.at }, stamp, null) };
}
