/** Applies an action of the courier or dispatcher to a delivery. */

import type { Dependencies } from "../dependencies.ts";
import type { Move } from "../domain/courier.ts";
import { type Delivery, positionKind } from "../domain/model.ts";
import { DomainError } from "../errors.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";
import { type Change, moved, recordChange } from "./changes.ts";

/**
 * Throws BULUNAMADI for an unknown delivery, and DURUM_UYGUN_DEGIL if the delivery's state doesn't allow the
 * action.
 */
export async function moveCourier(deps: Dependencies, deliveryId: string, move: Move): Promise<void> {
  const { deliveries, integrators, changeSequence } = deps.records;
  const known = await deliveries.findById(deps.database, deliveryId);
  const integrator = known && (await integrators.findById(deps.database, known.integrator_id));
  if (integrator === undefined) throw new DomainError("BULUNAMADI");
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  await deps.transaction(async (tx) => {
    const stamp = await changeSequence.takeNext(tx, integrator.id, now);
    const before = await deliveries.find(tx, integrator.id, deliveryId);
    if (before === undefined) throw new DomainError("BULUNAMADI");
    await recordChange(deps, tx, changeBy(deps, before, move, stamp));
  });
}

function changeBy(deps: Dependencies, before: Delivery, move: Move, stamp: ChangeStamp): Change {
  const change = deps.courier.change(deps, before, move, stamp.at);
  if (move.action !== "courier_location") return moved(deps, before, move.action, change, stamp);
  if (!deps.lifecycle.states[before.status].tracked) throw new DomainError("DURUM_UYGUN_DEGIL");
  return { kind: positionKind, after: deps.revise(before, change, stamp, positionKind) };
}
