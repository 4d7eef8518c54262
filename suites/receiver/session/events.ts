import { randomUUID } from "node:crypto";
import { isoInstant, wallClock } from "../../core/clock.ts";
import { lookUp, type Schemas } from "../../core/contract/document.ts";
import { DEFAULT_KINDS, type EventKind, LOCATION_KIND, TEST_KIND } from "../../core/contract/event-kinds.ts";
import { type Statuses, statusAt } from "./statuses.ts";

export type Delivery = Schemas["Delivery"];

/** What is sent as an event's body, before it is written as JSON. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Delivery | null;
}

const isDelivery = (value: unknown): value is Delivery =>
  typeof value === "object" && value !== null && "id" in value && "version" in value;

function exampleDelivery(): Delivery {
  const example = lookUp("/components/examples/Delivery")?.value;
  if (!isDelivery(example)) throw new Error("the document has no example of a delivery");
  return example;
}

const COURIER: Schemas["Courier"] = {
  name: "Mehmet Kaya",
  phone: "+905335550199",
  phone_masked: "+90533***0199",
  plate: "34 ABC 123",
  lat: 41.0091,
  lng: 28.9765,
  location_at: null,
  heading: 90,
};

/** Kinds of events that come before a courier is assigned. */
const BEFORE_COURIER: readonly EventKind[] = ["delivery.created", "delivery.queued", "delivery.offered"];

/** A delivery as it is when an event of this kind tells of it: new each time, and legal by the document. */
export function deliveryAt(
  kind: EventKind,
  changes: Partial<Delivery> = {},
  statuses: Statuses = {},
): Delivery {
  const now = isoInstant(wallClock());
  const reached = !BEFORE_COURIER.includes(kind);
  return {
    ...exampleDelivery(),
    id: randomUUID(),
    external_ref: `R-${randomUUID().slice(0, 8)}`,
    status: statusAt(kind, statuses),
    version: Math.max(1, DEFAULT_KINDS.indexOf(kind) + 1),
    courier: reached ? { ...COURIER, location_at: now } : null,
    assigned_at: reached ? now : null,
    delivered_at: kind === "delivery.delivered" ? now : null,
    cancelled_at: kind === "delivery.cancelled" ? now : null,
    returned_at: kind === "delivery.returned" ? now : null,
    created_at: now,
    updated_at: now,
    ...changes,
  };
}

/** An event about a delivery, with an id of its own. */
export const eventOf = (kind: EventKind, data: Delivery = deliveryAt(kind)): Event => ({
  id: randomUUID(),
  type: kind,
  timestamp: isoInstant(wallClock()),
  data,
});

/** An event of each kind that an address gets that asks for none in particular. */
export const eventsOfAllKinds = (statuses: Statuses): readonly Event[] =>
  DEFAULT_KINDS.map((kind) => eventOf(kind, deliveryAt(kind, {}, statuses)));

/** The trial event that a subscription's owner asks for: it has no data. */
export const testEvent = (): Event => ({
  id: randomUUID(),
  type: TEST_KIND,
  timestamp: isoInstant(wallClock()),
  data: null,
});

/** An event about a courier's position, which only addresses that ask for it get. */
export const locationEvent = (statuses: Statuses): Event =>
  eventOf(LOCATION_KIND, deliveryAt(LOCATION_KIND, {}, statuses));

/** An event of the kind that most checks send: any other would do. */
export const sampleEvent = (changes: Partial<Delivery> = {}): Event =>
  eventOf("delivery.assigned", deliveryAt("delivery.assigned", changes));

/** The id of the delivery that an event is about. */
export function deliveryId({ type, data }: Event): string {
  if (!data) throw new Error(`${type} is about no delivery`);
  return data.id;
}

/** A delivery of which everything that may be missing is: no courier, customer, items or location, and so no search yet. */
export function sparseDelivery(): Delivery {
  const delivery = deliveryAt("delivery.created", { status: "RECEIVED" });
  const { id, external_ref, store_id, status, version, package_count, prepaid, test: trial } = delivery;
  const { created_at, updated_at } = delivery;
  return {
    ...{ id, external_ref, store_id, status, version, package_count, prepaid, test: trial },
    ...{ created_at, updated_at },
    courier: null,
    dropoff: { text: "Divanyolu Caddesi 12", lat: null, lng: null, candidates: null },
    payment: { type: "NAKIT", amount_due: 0, collected_type: null, subtotal: null, discount: null },
    customer: { name: null, phone: null, phone_extension: null, note: null },
    items: [],
    scheduled_for: null,
    notes: null,
    fee: null,
    distance_m: null,
    road_km: null,
    eta_pickup_at: null,
    eta_dropoff_at: null,
    ready_at: null,
    assigned_at: null,
    picked_up_at: null,
    delivered_at: null,
    cancelled_at: null,
    returned_at: null,
    delivery_pin: null,
    failure_reason: null,
    cancel_reason: null,
    unassigned_alert_at: null,
    loss: null,
  };
}

const ITEMS = 200;
const NOTE_CHARS = 500;
const REFERENCE_CHARS = 40;
/** Names of items have no bound; with this length the whole stays within what a request may hold (OPEN-228). */
const NAME_CHARS = 300;
const TURKISH = "Çift köfteli ızgara şiş, yanında ğöçü salatası ";

/** A delivery at every bound of the interface: 200 items, and the longest texts, in letters outside of ASCII. */
export function largestDelivery(): Delivery {
  const text = (length: number) => TURKISH.repeat(Math.ceil(length / TURKISH.length)).slice(0, length);
  const delivery = deliveryAt("delivery.created");
  return {
    ...delivery,
    external_ref: text(REFERENCE_CHARS),
    notes: text(NOTE_CHARS),
    customer: { ...delivery.customer, note: text(NOTE_CHARS), phone_extension: "0".repeat(20) },
    items: Array.from({ length: ITEMS }, (_, i) => ({
      name: text(NAME_CHARS),
      quantity: i + 0.125,
      total: 1000 + i,
    })),
    package_count: 20,
  };
}
