/** Applies an action of the courier or dispatcher to a delivery. */

import type { Move } from "../domain/courier.ts";
import { type Delivery, positionKind } from "../domain/model.ts";
import { DomainError } from "../errors.ts";
import type { Parts } from "../parts.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";
import { type Change, moved, recordChange } from "./changes.ts";

/** Throws BULUNAMADI for an unknown delivery, and DURUM_UYGUN_DEGIL if its state doesn't allow the action. */
export async function moveCourier(parts: Parts, deliveryId: string, move: Move): Promise<void> {
  const { deliveries, integrators, changeSequence } = parts.records;
  const known = await deliveries.findById(parts.database, deliveryId);
  const integrator = known && (await integrators.findById(parts.database, known.integrator_id));
  if (integrator === undefined) throw new DomainError("BULUNAMADI");
  const now = parts.clock.of(integrator, parts.clock.now());
  await parts.transaction(parts, async (tx) => {
    const stamp = await changeSequence.takeNext(tx, integrator.id, now);
    const before = await deliveries.find(tx, integrator.id, deliveryId);
    if (before === undefined) throw new DomainError("BULUNAMADI");
    await recordChange(parts, tx, changeBy(parts, before, move, stamp));
  });
}

function changeBy(parts: Parts, before: Delivery, move: Move, stamp: ChangeStamp): Change {
  const change = parts.courier.change(parts, before, move, stamp.at);
  if (move.action !== "courier_location") return moved(parts, before, move.action, change, stamp);
  if (!parts.lifecycle.states[before.status].tracked) throw new DomainError("DURUM_UYGUN_DEGIL");
  return { kind: positionKind, after: parts.revise(before, change, stamp, positionKind) };
}
