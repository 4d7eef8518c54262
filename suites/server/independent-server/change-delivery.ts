import { type Answer, invalidField, notFound, Refusal } from "./answers.ts";
import { readDropoff, readSchedule, refuseFarPoint } from "./create-delivery.ts";
import { emit } from "./outbox.ts";
import { internationalPhone, measure } from "./places.ts";
import { BodyReader } from "./request-body.ts";
import { change, estimate, planSearch } from "./search.ts";
import type { Call, Delivery, Dropoff, Measure } from "./state.ts";
import { deliveryView } from "./views.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function uuidParam({ params }: Call, at = 0): string {
  const id = params[at] ?? "";
  if (!uuid.test(id)) throw invalidField("/id", "uuid bekleniyor");
  return id.toLowerCase();
}

function own(call: Call): Delivery {
  const delivery = call.caller.deliveries.get(uuidParam(call));
  if (delivery === undefined) throw notFound();
  return delivery;
}

export const getDelivery = (call: Call): Answer => ({
  status: 200,
  body: deliveryView(own(call), call.state.base),
});

export function listProofs(call: Call): Answer {
  own(call);
  return { status: 200, body: { limit: 3, items: [] } };
}

export function getProof(call: Call): Answer {
  own(call);
  throw notFound();
}

export function cancelDelivery(call: Call): Answer {
  const delivery = own(call);
  if (delivery.status === "IPTAL") throw new Refusal(409, "SON_DURUM");
  const reason = BodyReader.ofBytes(call.raw).text("reason", 1000);
  change(delivery);
  delivery.status = "IPTAL";
  delivery.plan += 1;
  delivery.cancelled = { at: delivery.updatedAt, reason: reason && `Entegratör: ${reason}` };
  emit(call.state, delivery, "delivery.cancelled");
  return { status: 202, body: {} };
}

/** Refuses coordinates outside the country. Without coordinates, the delivery is RECEIVED again. */
function readMove(body: BodyReader, delivery: Delivery): { dropoff: Dropoff; measured: Measure | undefined } {
  const part = body.part("dropoff");
  const dropoff = readDropoff(part);
  if (
    dropoff.point === undefined &&
    (dropoff.sentCoordinates.lat ?? dropoff.sentCoordinates.lng) !== undefined
  ) {
    throw part.invalid("lat", "konum ülke dışında");
  }
  const measured = dropoff.point && measure(delivery.store, dropoff.point);
  refuseFarPoint(delivery.store, measured);
  return { dropoff, measured };
}

/** Refuses a new schedule if a quote was requested for this store and place after the creation. */
function refuseReplanning({ caller }: Call, delivery: Delivery): void {
  const { store, dropoff, createdAt } = delivery;
  const quoted = caller.quoted.some(
    ({ point, ...quote }) =>
      quote.store === store &&
      quote.at > createdAt &&
      point.lat === dropoff.point?.lat &&
      point.lng === dropoff.point.lng,
  );
  if (quoted) throw new Refusal(409, "PLAN_DEGISEMEZ");
}

function readCustomer(part: BodyReader, before: Delivery["customer"]): Delivery["customer"] {
  part.only("name phone phone_extension");
  const phone = part.text("phone");
  return {
    name: part.has("name") ? part.text("name") : before.name,
    phone: part.has("phone") ? phone && internationalPhone(phone) : before.phone,
    extension: part.has("phone_extension") ? part.digits("phone_extension", 20) : before.extension,
    note: before.note,
  };
}

/**
 * Validates everything before any change. Responds with 204, and sends an event unless only the customer
 * changed.
 */
export function changeDelivery(call: Call): Answer {
  const delivery = own(call);
  if (delivery.status === "IPTAL") throw new Refusal(409, "SON_DURUM");
  const body = BodyReader.ofBytes(call.raw).only("dropoff ready_at scheduled_for notes customer");
  const named = body.names();
  if (named.length === 0) throw invalidField("/", "değişecek bir şey yok");
  if (body.has("scheduled_for")) refuseReplanning(call, delivery);
  const next = {
    readyAt: body.has("ready_at") ? (body.instant("ready_at") ?? delivery.createdAt) : delivery.readyAt,
    scheduledFor: body.has("scheduled_for") ? readSchedule(body) : delivery.scheduledFor,
    notes: body.has("notes") ? body.text("notes", 500) : delivery.notes,
    customer: readCustomer(body.part("customer"), delivery.customer),
  };
  const move = body.has("dropoff") ? readMove(body, delivery) : undefined;

  const wasQueued = delivery.status === "QUEUED";
  change(delivery);
  Object.assign(delivery, next);
  if (move !== undefined) {
    delivery.dropoff = move.dropoff;
    delivery.measure = move.measured;
    delivery.status = move.dropoff.point === undefined ? "RECEIVED" : "QUEUED";
  }
  estimate(delivery);
  if (named.some((name) => name !== "customer")) emit(call.state, delivery, "delivery.updated");
  resumeSearch(call, delivery, wasQueued, body.has("scheduled_for"));
  return { status: 204 };
}

function resumeSearch({ state }: Call, delivery: Delivery, wasQueued: boolean, replanned: boolean): void {
  if (delivery.status === "RECEIVED") {
    delivery.plan += 1;
    delivery.searching = false;
  } else if (!wasQueued || (replanned && !delivery.searching)) {
    planSearch(state, delivery);
  }
}
