/** Creates a delivery, once per idempotency key (specification, Deliveries). */

import type { Tx } from "../database/schema.ts";
import { moved, recordNew } from "../deliveries/changes.ts";
import { measure, readDropoff } from "../deliveries/dropoff.ts";
import { parseInstantOrNull } from "../domain/instants.ts";
import type { Lifecycle } from "../domain/lifecycle.ts";
import type { Customer, Delivery, Dropoff, Payment, Store } from "../domain/model.ts";
import { DomainError, rejected } from "../errors.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";
import type { AuthenticatedOperation, Call } from "./operation.ts";

type CreateCall = Call<"createDelivery">;
type OpeningName = keyof Lifecycle["openings"];

/**
 * 201 with a new delivery, or 200 with the current state of the delivery that the same key and body created.
 *
 * Key, delivery, events and credit are written in one transaction. The transaction first takes a number from the
 * change sequence, which serializes requests with the same key. A refusal rolls the transaction back, so the key stays
 * unused.
 */
export const createDelivery: AuthenticatedOperation<"createDelivery"> = async (call) => {
  const { deps, integrator, headers, body } = call;
  const payment = paymentOf(call);
  const dropoff = await readDropoff(deps, body.dropoff);
  const scope = deps.idempotency.scope(integrator, call.tokenHash);
  const key = headers["Idempotency-Key"];
  const fingerprint = deps.idempotency.fingerprint(body);

  return deps.transaction(async (tx) => {
    const stamp = await deps.records.changeSequence.takeNext(tx, integrator.id, call.now);
    const earlier = await deps.records.idempotency.find(tx, scope, key);
    if (earlier !== undefined) {
      if (earlier.fingerprint !== fingerprint) throw new DomainError("IDEMPOTENCY_CAKISMA");
      const delivery = await deps.records.deliveries.find(tx, integrator.id, earlier.delivery_id);
      if (delivery === undefined) throw new Error("the idempotency key's delivery is missing");
      return { status: 200, body: deps.views.delivery(deps, delivery) };
    }
    const store = await activeStore(call, tx);
    const opening = openingOf(call, dropoff, stamp.at);
    const opened = deliveryOf(call, opening, { store, dropoff, payment, stamp });
    const delivery = await open(call, tx, opened, opening, stamp);
    await deps.records.idempotency.insert(tx, {
      scope,
      key,
      fingerprint,
      delivery_id: delivery.id,
      created_at: stamp.at,
    });
    return { status: 201, body: deps.views.delivery(deps, delivery) };
  });
};

async function activeStore({ deps, integrator, body }: CreateCall, tx: Tx): Promise<Store> {
  const store = await deps.records.stores.find(tx, integrator.id, body.store.external_store_id);
  if (store === undefined) throw new DomainError("MAGAZA_YOK");
  if (store.status !== "ACTIVE") throw new DomainError("MAGAZA_PASIF");
  return store;
}

/** Writes the delivery, its events and its credit. A test delivery is also cancelled. */
async function open(
  { deps }: CreateCall,
  tx: Tx,
  opened: Delivery,
  opening: OpeningName,
  stamp: ChangeStamp,
): Promise<Delivery> {
  const cancelled = opened.test ? moved(deps, opened, "cancel", {}, stamp) : undefined;
  const delivery = cancelled?.after ?? opened;
  if (!(await recordNew(deps, tx, delivery))) {
    const existing = await deps.records.deliveries.findByRef(
      tx,
      opened.integrator_id,
      opened.store_id,
      opened.external_ref,
    );
    if (existing === undefined) throw new Error("the delivery with this external_ref is missing");
    throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: existing.id });
  }
  for (const kind of deps.lifecycle.openings[opening].events) await deps.emit(deps, tx, opened, kind);
  if (cancelled !== undefined) await deps.emit(deps, tx, cancelled.after, cancelled.kind);
  const credit = deps.credit.opening(opened);
  if (credit !== 0) await deps.records.credit.add(tx, opened.integrator_id, credit);
  return delivery;
}

/** The delivery's initial state, as one of the lifecycle's openings. */
function openingOf({ deps, body }: CreateCall, dropoff: Dropoff, now: number): OpeningName {
  if (body.test) return "test";
  if (dropoff.point === null) return "unlocated";
  return deps.courierSearch.startsAt(parseInstantOrNull(body.scheduled_for)) > now ? "scheduled" : "located";
}

interface Checked {
  store: Store;
  dropoff: Dropoff;
  payment: Payment;
  stamp: ChangeStamp;
}

function deliveryOf(
  { deps, integrator, body }: CreateCall,
  opening: OpeningName,
  { store, dropoff, payment, stamp }: Checked,
): Delivery {
  const ready_at = parseInstantOrNull(body.ready_at);
  const scheduled_for = parseInstantOrNull(body.scheduled_for);
  const measures = measure(deps, store, dropoff.point);
  const { road_km } = measures;
  return {
    id: deps.ids.uuid(),
    integrator_id: integrator.id,
    store_id: store.id,
    external_ref: body.external_ref,
    tracking_key: deps.ids.trackingKey(),
    status: deps.lifecycle.openings[opening].status,
    version: 1,
    change_number: stamp.change_number,
    created_at: stamp.at,
    updated_at: stamp.at,
    courier: null,
    dropoff,
    payment,
    customer: customerOf(deps, body.customer ?? {}),
    items: (body.items ?? []).map(({ name, quantity, total, code }) => ({
      name,
      quantity,
      total: total ?? null,
      code: code ?? null,
    })),
    scheduled_for,
    notes: body.notes ?? null,
    origin_channel: body.origin_channel ?? "POS",
    package_count: body.package_count ?? 1,
    test: body.test ?? false,
    ...measures,
    ...deps.serviceArea.estimate({ now: stamp.at, ready_at, scheduled_for, road_km }),
    ready_at,
    search_started_at: opening === "located" ? stamp.at : null,
    offered_at: null,
    offered_to: null,
    assigned_at: null,
    picked_up_at: null,
    delivered_at: null,
    failed_at: null,
    cancelled_at: null,
    returned_at: null,
    delivery_pin: body.require_pin ? deps.ids.pin() : null,
    failure_reason: null,
    cancel_reason: null,
    unassigned_alert_at: null,
  };
}

function customerOf(
  deps: CreateCall["deps"],
  { name, phone, phone_extension, note }: NonNullable<CreateCall["body"]["customer"]>,
): Customer {
  return {
    name: name ?? null,
    phone: phone === undefined ? null : deps.phone.international(phone),
    phone_extension: phone_extension ?? null,
    note: note ?? null,
  };
}

function paymentOf({ deps, body }: CreateCall): Payment {
  const { type, amount_due, prepaid, subtotal, discount } = body.payment;
  const known = deps.paymentTypes.find(({ kod }) => kod === type);
  if (known === undefined) throw rejected("payment.type", "ödeme türleri listesinde yok");
  return {
    type: known.kod,
    amount_due,
    prepaid: prepaid ?? false,
    subtotal: subtotal ?? null,
    discount: discount ?? null,
    collected_type: null,
    collected_parts: null,
  };
}
