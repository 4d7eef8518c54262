/** Creates a delivery, once per idempotency key (specification, POST /v1/deliveries). */

import type { Tx } from "../database/schema.ts";
import { moved, recordNew } from "../deliveries/changes.ts";
import { measure, readDropoff } from "../deliveries/dropoff.ts";
import { parseInstantOrNull } from "../domain/instants.ts";
import type { Lifecycle } from "../domain/lifecycle.ts";
import type { Customer, Delivery, Dropoff, Payment, Store } from "../domain/model.ts";
import { DomainError, rejected } from "../errors.ts";
import type { ChangeStamp } from "../records/change-sequence.ts";
import type { Call, PrivateOperation } from "./operation.ts";

type CreateCall = Call<"createDelivery">;
type OpeningName = keyof Lifecycle["openings"];

/**
 * 201 with a new delivery, or 200 with the current state of the one that the same key and body created.
 *
 * Key, delivery, events and credit are written in one transaction. It first takes a number from the change
 * sequence, which serializes requests with the same key. A refusal rolls all of it back, so the key stays
 * unused.
 */
export const createDelivery: PrivateOperation<"createDelivery"> = async (call) => {
  const { parts, integrator, headers, body } = call;
  const payment = paymentOf(call);
  const dropoff = await readDropoff(parts, body.dropoff);
  const scope = parts.idempotency.scope(integrator, call.tokenHash);
  const key = headers["Idempotency-Key"];
  const fingerprint = parts.idempotency.fingerprint(body);

  return parts.transaction(parts, async (tx) => {
    const stamp = await parts.records.changeSequence.takeNext(tx, integrator.id, call.now);
    const earlier = await parts.records.idempotency.find(tx, scope, key);
    if (earlier !== undefined) {
      if (earlier.fingerprint !== fingerprint) throw new DomainError("IDEMPOTENCY_CAKISMA");
      const delivery = await parts.records.deliveries.find(tx, integrator.id, earlier.delivery_id);
      if (delivery === undefined) throw new Error("an idempotency key stands for no delivery");
      return { status: 200, body: parts.views.delivery(parts, delivery) };
    }
    const store = await activeStore(call, tx);
    const opening = openingOf(call, dropoff, stamp.at);
    const opened = deliveryOf(call, opening, { store, dropoff, payment, stamp });
    const delivery = await open(call, tx, opened, opening, stamp);
    await parts.records.idempotency.insert(tx, {
      scope,
      key,
      fingerprint,
      delivery_id: delivery.id,
      created_at: stamp.at,
    });
    return { status: 201, body: parts.views.delivery(parts, delivery) };
  });
};

async function activeStore({ parts, integrator, body }: CreateCall, tx: Tx): Promise<Store> {
  const store = await parts.records.stores.find(tx, integrator.id, body.store.external_store_id);
  if (store === undefined) throw new DomainError("MAGAZA_YOK");
  if (store.status !== "ACTIVE") throw new DomainError("MAGAZA_PASIF");
  return store;
}

/** Writes the delivery, its events and its credit. A trial is also cancelled. */
async function open(
  { parts }: CreateCall,
  tx: Tx,
  opened: Delivery,
  opening: OpeningName,
  stamp: ChangeStamp,
): Promise<Delivery> {
  const cancelled = opened.test ? moved(parts, opened, "cancel", {}, stamp) : undefined;
  const delivery = cancelled?.after ?? opened;
  if (!(await recordNew(parts, tx, delivery))) {
    const existing = await parts.records.deliveries.findByRef(
      tx,
      opened.integrator_id,
      opened.store_id,
      opened.external_ref,
    );
    if (existing === undefined) throw new Error("a new delivery met one that isn't there");
    throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: existing.id });
  }
  for (const kind of parts.lifecycle.openings[opening].events) await parts.emit(parts, tx, opened, kind);
  if (cancelled !== undefined) await parts.emit(parts, tx, cancelled.after, cancelled.kind);
  const credit = parts.credit.opening(opened);
  if (credit !== 0) await parts.records.credit.add(tx, opened.integrator_id, credit);
  return delivery;
}

/** The delivery's initial state, as one of the lifecycle's openings. */
function openingOf({ parts, body }: CreateCall, dropoff: Dropoff, now: number): OpeningName {
  if (body.test) return "trial";
  if (dropoff.point === null) return "unlocated";
  return parts.courierSearch.startsAt(parseInstantOrNull(body.scheduled_for)) > now ? "scheduled" : "located";
}

interface Checked {
  store: Store;
  dropoff: Dropoff;
  payment: Payment;
  stamp: ChangeStamp;
}

function deliveryOf(
  { parts, integrator, body }: CreateCall,
  opening: OpeningName,
  { store, dropoff, payment, stamp }: Checked,
): Delivery {
  const ready_at = parseInstantOrNull(body.ready_at);
  const scheduled_for = parseInstantOrNull(body.scheduled_for);
  const measures = measure(parts, store, dropoff.point);
  const { road_km } = measures;
  return {
    id: parts.ids.uuid(),
    integrator_id: integrator.id,
    store_id: store.id,
    external_ref: body.external_ref,
    tracking_key: parts.ids.trackingKey(),
    status: parts.lifecycle.openings[opening].status,
    version: 1,
    change_number: stamp.change_number,
    created_at: stamp.at,
    updated_at: stamp.at,
    courier: null,
    dropoff,
    payment,
    customer: customerOf(parts, body.customer ?? {}),
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
    ...parts.serviceArea.estimate({ now: stamp.at, ready_at, scheduled_for, road_km }),
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
    delivery_pin: body.require_pin ? parts.ids.pin() : null,
    failure_reason: null,
    cancel_reason: null,
    unassigned_alert_at: null,
  };
}

function customerOf(
  parts: CreateCall["parts"],
  { name, phone, phone_extension, note }: NonNullable<CreateCall["body"]["customer"]>,
): Customer {
  return {
    name: name ?? null,
    phone: phone === undefined ? null : parts.phone.international(phone),
    phone_extension: phone_extension ?? null,
    note: note ?? null,
  };
}

function paymentOf({ parts, body }: CreateCall): Payment {
  const { type, amount_due, prepaid, subtotal, discount } = body.payment;
  const known = parts.paymentTypes.find(({ kod }) => kod === type);
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
