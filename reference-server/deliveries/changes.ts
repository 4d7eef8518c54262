/** Changes of a delivery. Each writes a number, a time, a higher version and an event in one transaction. */
import type { Tx } from "../database/schema.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Action, transitionFrom } from "../domain/lifecycle.ts";
import type { Delivery, DeliveryEventKind } from "../domain/model.ts";
import { DomainError } from "../errors.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";

/** A delivery after a change, and the event kind that reports it; null for none. */
export interface Change {
  after: Delivery;
  kind: DeliveryEventKind | null;
}

/** The delivery with changed fields and a new stamp. */
export function revise(
  before: Delivery,
  change: Partial<Delivery>,
  stamp: ChangeStamp,
  _kind: DeliveryEventKind | null,
): Delivery {
  return {
    ...before,
    ...change,
    version: before.version + 1,
    change_number: stamp.change_number,
    updated_at: stamp.at,
  };
}

/** The delivery after an action. Throws DURUM_UYGUN_DEGIL if its state doesn't allow the action. */
export function moved(
  deps: Dependencies,
  before: Delivery,
  action: Action,
  change: Partial<Delivery>,
  stamp: ChangeStamp,
): Change & { kind: DeliveryEventKind } {
  const transition = transitionFrom(deps.lifecycle, before.status, action);
  if (transition === undefined) throw new DomainError("DURUM_UYGUN_DEGIL");
  const { to, event: kind, stamps } = transition;
  const time = stamps === undefined ? {} : { [stamps]: stamp.at };
  return { kind, after: deps.revise(before, { ...change, ...time, status: to }, stamp, kind) };
}

/** The delivery after a change that keeps its state. */
export function changed(
  deps: Dependencies,
  before: Delivery,
  change: Partial<Delivery>,
  stamp: ChangeStamp,
): Change {
  const kind = "delivery.updated";
  return { kind, after: deps.revise(before, change, stamp, kind) };
}

/** Time of the delivery's next timed change; null for none. */
function dueAt(deps: Dependencies, delivery: Delivery): number | null {
  return deps.courierSearch.nextChange(deps, delivery)?.at ?? null;
}

/** Writes a new delivery and schedules its timed change; false, without a write, if `insert` returns false. */
export async function recordNew(deps: Dependencies, tx: Tx, delivery: Delivery): Promise<boolean> {
  const due = dueAt(deps, delivery);
  if (due !== null) deps.alarm.schedule(delivery, due);
  return deps.records.deliveries.insert(tx, delivery, due);
}

/** Writes the change and its event, and schedules the delivery's next timed change. */
export async function recordChange(deps: Dependencies, tx: Tx, { after, kind }: Change): Promise<void> {
  const due = dueAt(deps, after);
  if (due !== null) deps.alarm.schedule(after, due);
  await deps.records.deliveries.update(tx, after, due);
  if (kind !== null) await deps.emit(deps, tx, after, kind);
}
