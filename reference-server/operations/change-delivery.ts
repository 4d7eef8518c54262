/** Changes and cancels a delivery until the courier has the package (specification, Deliveries). */

import type { components } from "../../openapi/generated/courier-dispatch.ts";
import type { Tx } from "../database/schema.ts";
import { changed, moved, recordChange } from "../deliveries/changes.ts";
import { measure, readDropoff } from "../deliveries/dropoff.ts";
import { parseInstantOrNull } from "../domain/instants.ts";
import { refuseUnlessChangeable } from "../domain/lifecycle.ts";
import type { Customer, Delivery, DeliveryBody, Dropoff } from "../domain/model.ts";
import { DomainError, rejected } from "../errors.ts";
import type { AuthenticatedOperation, Call } from "./operation.ts";

type Schemas = components["schemas"];
type UpdateCall = Call<"updateDelivery">;

/** 200 with the delivery. A request without effect keeps the version and emits no event. */
export const updateDelivery: AuthenticatedOperation<"updateDelivery"> = async (call) => {
  const { deps, integrator, path, body } = call;
  const dropoff = body.dropoff && (await readDropoff(deps, wholeAddress(body.dropoff)));
  return deps.transaction(async (tx) => {
    const stamp = await deps.records.changeSequence.takeNext(tx, integrator.id, call.now);
    const before = await changeable(call, tx, path.id);
    const change = await changeOf(call, tx, before, dropoff);
    if (JSON.stringify({ ...before, ...change }) === JSON.stringify(before)) {
      return { status: 200, body: deps.views.delivery(deps, before) };
    }
    // A delivery that waits for its location continues once it has a point.
    const located = before.status === "RECEIVED" && dropoff?.point != null;
    const planned = {
      ...change,
      ...estimatesOf(call, before, change, stamp.at),
      ...searchOf(call, before, change, located, stamp.at),
    };
    const revised = located
      ? moved(deps, before, "locate", planned, stamp)
      : changed(deps, before, planned, stamp);
    await recordChange(deps, tx, revised);
    return { status: 200, body: deps.views.delivery(deps, revised.after) };
  });
};

/** 200 with the cancelled delivery. Its credit is refunded. */
export const cancelDelivery: AuthenticatedOperation<"cancelDelivery"> = async (call) => {
  const { deps, integrator, path, body } = call;
  return deps.transaction(async (tx) => {
    const stamp = await deps.records.changeSequence.takeNext(tx, integrator.id, call.now);
    const before = await changeable(call, tx, path.id);
    const cancelled = moved(deps, before, "cancel", { cancel_reason: body.reason ?? null }, stamp);
    await recordChange(deps, tx, cancelled);
    const credit = deps.credit.cancelling(before);
    if (credit !== 0) await deps.records.credit.add(tx, integrator.id, credit);
    return { status: 200, body: deps.views.delivery(deps, cancelled.after) };
  });
};

/** The integrator's delivery; throws BULUNAMADI, SON_DURUM or KURYE_ALDI. */
async function changeable(
  { deps, integrator }: Pick<UpdateCall, "deps" | "integrator">,
  tx: Tx,
  id: string,
): Promise<Delivery> {
  const delivery = await deps.records.deliveries.find(tx, integrator.id, id);
  if (delivery === undefined) throw new DomainError("BULUNAMADI");
  refuseUnlessChangeable(deps.lifecycle, delivery.status);
  return delivery;
}

/** Refuses a partial address, because the rest of the old address may not apply (OPEN-152). */
function wholeAddress({ text, ...rest }: Schemas["DropoffChange"]): Schemas["NewDropoff"] {
  if (text === undefined) throw rejected("dropoff.text", "zorunlu");
  return { text, ...rest };
}

async function changeOf(
  call: UpdateCall,
  tx: Tx,
  before: Delivery,
  dropoff: Dropoff | undefined,
): Promise<Partial<DeliveryBody>> {
  const { body } = call;
  const change: Partial<DeliveryBody> = {};
  if (body.scheduled_for !== undefined) {
    // The schedule is fixed after the first offer to a courier. The specification says "after a quote", but
    // uses the same Turkish word for offer and quote.
    if (before.offered_at !== null || before.assigned_at !== null) throw new DomainError("PLAN_DEGISEMEZ");
    change.scheduled_for = parseInstantOrNull(body.scheduled_for);
  }
  if (body.ready_at !== undefined) change.ready_at = parseInstantOrNull(body.ready_at);
  if (body.notes !== undefined) change.notes = body.notes;
  if (body.customer !== undefined) change.customer = customerAfter(call, before.customer);
  return dropoff === undefined ? change : { ...change, ...(await relocated(call, tx, before, dropoff)) };
}

/** A new address without a point keeps the old point, state, distance and fee. */
async function relocated(
  { deps }: UpdateCall,
  tx: Tx,
  before: Delivery,
  dropoff: Dropoff,
): Promise<Partial<DeliveryBody>> {
  if (dropoff.point === null) {
    const { point } = before.dropoff;
    return { dropoff: { ...dropoff, point, candidates: point === null ? dropoff.candidates : null } };
  }
  const store = await deps.records.stores.findById(tx, before.store_id);
  if (store === undefined) throw new Error("the delivery has no store");
  return { dropoff, ...measure(deps, store, dropoff.point) };
}

function customerAfter({ deps, body }: UpdateCall, before: Customer): Customer {
  const { name, phone, phone_extension } = body.customer ?? {};
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone: deps.phone.international(phone) }),
    ...(phone_extension !== undefined && { phone_extension }),
  };
}

/** Estimates depend on the address and the times. A change of other fields keeps the estimates. */
function estimatesOf({ deps }: UpdateCall, before: Delivery, change: Partial<DeliveryBody>, now: number) {
  const { ready_at, scheduled_for, road_km } = { ...before, ...change };
  const same =
    ready_at === before.ready_at && scheduled_for === before.scheduled_for && road_km === before.road_km;
  return same ? {} : deps.serviceArea.estimate({ now, ready_at, scheduled_for, road_km });
}

/** A new location starts the search for a courier, and a later schedule postpones it. */
function searchOf(
  { deps }: UpdateCall,
  before: Delivery,
  change: Partial<DeliveryBody>,
  located: boolean,
  now: number,
): Partial<DeliveryBody> {
  const { scheduled_for } = { ...before, ...change };
  if (!located && scheduled_for === before.scheduled_for) return {};
  if (deps.courierSearch.startsAt(scheduled_for) > now) return { search_started_at: null };
  return located ? { search_started_at: now } : {};
}
