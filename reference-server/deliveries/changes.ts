/**
 * Changes of a delivery. Each change gets the next change number, the current time and a higher version, and causes an
 * event.
 */
import type { Tx } from "../database/schema.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Action, transitionFrom } from "../domain/lifecycle.ts";
import type { Delivery, DeliveryEventKind } from "../domain/model.ts";
import { DomainError } from "../errors.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";

/** A changed delivery, and the type of the event that reports the change; null for no event. */
export interface Change {
  after: Delivery;
  kind: DeliveryEventKind | null;
}

/** The delivery with changed fields, a higher version and a new stamp. `_kind` is for mutants that replace this function (`deps.revise`). */
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

/** Applies an action to a delivery. Throws DURUM_UYGUN_DEGIL if the delivery's state doesn't allow the action. */
export function moved(
  deps: Dependencies,
  before: Delivery,
  action: Action,
  change: Partial<Delivery>,
  stamp: ChangeStamp,
): Change & { kind: DeliveryEventKind } {
  const transition = transitionFrom(deps.lifecycle, before.status, action);
  if (transition === undefined) throw new DomainError("DURUM_UYGUN_DEGIL");
  const { to, event: kind, timeField } = transition;
  const time = timeField === undefined ? {} : { [timeField]: stamp.at };
  return { kind, after: deps.revise(before, { ...change, ...time, status: to }, stamp, kind) };
}

/** Changes fields of a delivery, but not its state. */
export function changed(
  deps: Dependencies,
  before: Delivery,
  change: Partial<Delivery>,
  stamp: ChangeStamp,
): Change {
  const kind = "delivery.updated";
  return { kind, after: deps.revise(before, change, stamp, kind) };
}

/**
 * The time of the next change that time alone causes, such as the start of a courier search; null for none.
 */
function dueAt(deps: Dependencies, delivery: Delivery): number | null {
  return deps.courierSearch.nextChange(deps, delivery)?.at ?? null;
}

/** Stores a new delivery. Returns false, and stores nothing, if the store already has its external_ref. */
export async function recordNew(deps: Dependencies, tx: Tx, delivery: Delivery): Promise<boolean> {
  const due = dueAt(deps, delivery);
  if (due !== null) deps.alarm.schedule(delivery, due);
  return deps.records.deliveries.insert(tx, delivery, due);
}

/** Stores a changed delivery and emits its event. */
export async function recordChange(deps: Dependencies, tx: Tx, { after, kind }: Change): Promise<void> {
  const due = dueAt(deps, after);
  if (due !== null) deps.alarm.schedule(after, due);
  await deps.records.deliveries.update(tx, after, due);
  if (kind !== null) await deps.emit(deps, tx, after, kind);
}
