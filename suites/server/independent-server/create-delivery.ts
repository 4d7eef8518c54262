import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { type Answer, Refusal } from "./answers.ts";
import { day, type Json, minute, now, writeJson } from "./formats.ts";
import { emit } from "./outbox.ts";
import { paymentType } from "./payment-types.ts";
import {
  inCountry,
  internationalPhone,
  isServed,
  longestRoad,
  measure,
  pointOf,
  readCoordinates,
} from "./places.ts";
import { BodyReader } from "./request-body.ts";
import { change, estimate, planSearch } from "./search.ts";
import type { Call, Delivery, Dropoff, Measure, Store } from "./state.ts";
import { deliveryView } from "./views.ts";

/**
 * Keys are scoped to a store. A repetition gets the first response, even if it was an error. Bodies are
 * compared byte by byte.
 */
export function createDelivery(call: Call): Answer & { text?: string } {
  const key = call.header("idempotency-key");
  if (key === undefined) throw new Refusal(428, "ANAHTAR_GEREKLI");
  if (key.length < 8 || key.length > 128) throw new Refusal(400, "ANAHTAR_GECERSIZ");
  const body = BodyReader.ofBytes(call.raw);
  const externalId = body.part("store").only("external_store_id").word("external_store_id");
  const digest = createHash("sha256").update(call.raw).digest("hex");
  const scope = `${key} ${externalId}`;
  const before = call.caller.answered.get(scope);
  if (before !== undefined) {
    if (before.digest !== digest) throw new Refusal(409, "IDEMPOTENCY_CAKISMA");
    return { status: before.status === 201 ? 200 : before.status, text: before.text };
  }
  const answer = openOrRefuse(call, body, externalId);
  const text = writeJson(answer.body);
  call.caller.answered.set(scope, { digest, status: answer.status, text });
  return { status: answer.status, text };
}

function openOrRefuse(call: Call, body: BodyReader, externalId: string): Answer {
  try {
    return { status: 201, body: open(call, body, externalId) };
  } catch (error) {
    if (error instanceof Refusal) return error.answer();
    throw error;
  }
}

const fields =
  "external_ref store customer dropoff payment items package_count ready_at scheduled_for require_pin notes origin_channel test";

export function readDropoff(reader: BodyReader): Dropoff {
  reader.only("text directions neighborhood district city lat lng");
  const shown = readCoordinates(reader);
  const point = pointOf(shown);
  return {
    text: reader.word("text"),
    directions: reader.text("directions") || undefined,
    neighborhood: reader.text("neighborhood"),
    district: reader.text("district"),
    city: reader.text("city"),
    sentCoordinates: shown,
    point: point && inCountry(point) ? point : undefined,
  };
}

export function refuseFarPoint(store: Store, measured: Measure | undefined): void {
  if (isServed(store, measured)) return;
  throw new Refusal(422, "HIZMET_DISI", { max_km: longestRoad(store), road_km: measured?.road });
}

export function readSchedule(body: BodyReader): number | undefined {
  const scheduled = body.instant("scheduled_for");
  if (scheduled !== undefined && scheduled > now() + 7 * day) throw new Refusal(422, "PLAN_COK_UZAK");
  return scheduled;
}

function readItem(item: BodyReader): Json {
  item.only("name quantity total code");
  const quantity = item.required("quantity", item.number("quantity", 0));
  if (Math.round(quantity * 1000) / 1000 !== quantity) throw item.invalid("quantity", "en çok 3 ondalık");
  return {
    code: item.text("code"),
    total: item.number("total"),
    quantity,
    name: item.word("name"),
    vat_group: "A",
  };
}

function readPayment(payment: BodyReader): Delivery["payment"] {
  payment.only("type amount_due prepaid subtotal discount");
  const type = paymentType(payment.word("type"));
  if (type === undefined) throw payment.invalid("type", "listede yok");
  const prepaid = payment.flag("prepaid") ?? false;
  if (type.yalnizOdenmis && !prepaid) throw payment.invalid("prepaid", "bu kod ödenmiş siparişler içindir");
  return {
    type: type.kod,
    due: payment.required("amount_due", payment.number("amount_due", 0)),
    prepaid,
    subtotal: payment.number("subtotal"),
    discount: payment.number("discount"),
  };
}

function readCustomer(customer: BodyReader): Delivery["customer"] {
  customer.only("name phone phone_extension note");
  const phone = customer.text("phone");
  return {
    name: customer.text("name"),
    phone: phone && internationalPhone(phone),
    extension: customer.digits("phone_extension", 20),
    note: customer.text("note", 500),
  };
}

/**
 * Validates the store, its status and the reference before the rest of the body. Test deliveries only need a
 * valid schema.
 */
function open({ caller, state }: Call, body: BodyReader, externalId: string): Json {
  const store = caller.stores.get(externalId);
  if (store === undefined) throw new Refusal(404, "MAGAZA_YOK");
  const test = body.flag("test") ?? false;
  if (!test && store.state !== "active") throw new Refusal(409, "MAGAZA_PASIF");
  const externalRef = body.word("external_ref", 40);
  const duplicate = [...caller.deliveries.values()].find(
    (other) =>
      other.store === store &&
      other.status !== "IPTAL" &&
      other.externalRef.toLowerCase() === externalRef.toLowerCase(),
  );
  if (duplicate !== undefined && !test) {
    throw new Refusal(409, "EXTERNAL_REF_TEKRAR", { status: duplicate.status, delivery_id: duplicate.id });
  }
  body.only(fields);
  const dropoff = readDropoff(body.part("dropoff"));
  const measured = dropoff.point && !test ? measure(store, dropoff.point) : undefined;
  const at = now();
  const delivery: Delivery = {
    id: randomUUID(),
    owner: caller,
    store,
    externalRef,
    status: dropoff.point === undefined ? "RECEIVED" : "QUEUED",
    version: 1,
    createdAt: at,
    updatedAt: at,
    dropoff,
    payment: readPayment(body.part("payment")),
    customer: readCustomer(body.part("customer")),
    items: (body.parts("items", 200) ?? []).map(readItem),
    packages: body.integer("package_count", 1, 20) ?? 1,
    readyAt: body.instant("ready_at") ?? at + 15 * minute,
    scheduledFor: readSchedule(body),
    notes: body.text("notes", 500),
    channel: body.text("origin_channel", 20) ?? "ENTEGRASYON",
    test,
    pin: body.flag("require_pin") ? `K${randomInt(100, 999)}-${randomInt(10, 99)}` : undefined,
    measure: measured,
    eta: undefined,
    trackingKey: randomBytes(18).toString("base64url"),
    alertAt: undefined,
    searching: false,
    plan: 0,
    cancelled: undefined,
  };
  refuseFarPoint(store, measured);
  estimate(delivery);
  caller.deliveries.set(delivery.id, delivery);
  state.tracked.set(delivery.trackingKey, delivery);
  emit(state, delivery, "delivery.created");
  if (!test && delivery.status === "QUEUED") planSearch(state, delivery);
  const view = deliveryView(delivery, state.base);
  if (test) cancelTestDelivery(delivery);
  if (test) emit(state, delivery, "delivery.cancelled");
  return view;
}

/** Called after the response is built, so that the response shows the opening state. */
function cancelTestDelivery(delivery: Delivery): void {
  change(delivery);
  delivery.status = "IPTAL";
  delivery.cancelled = { at: delivery.updatedAt, reason: "Deneme siparişi" };
}
