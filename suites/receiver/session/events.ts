import { randomUUID } from "node:crypto";
import { isoInstant, wallClock } from "../../core/clock.ts";
import { type Schemas, serviceApi } from "../../core/contract/document.ts";
import {
  DEFAULT_KINDS,
  type EventKind,
  kindsLeftOut,
  LOCATION_KIND,
  TEST_KIND,
} from "../../core/contract/event-kinds.ts";
import { type Statuses, statusAt } from "./statuses.ts";

export type Delivery = Schemas["Delivery"];

/** The body of an event, before it is serialised as JSON. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Delivery | null;
}

const isDelivery = (value: unknown): value is Delivery =>
  typeof value === "object" && value !== null && "id" in value && "version" in value;

function exampleDelivery(): Delivery {
  const example = serviceApi.lookUp("/components/examples/Delivery")?.value;
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

/** A receiver's webhook subscription. */
export interface Subscription {
  /** The subscribed types. `webhook.test` reaches every subscription. */
  readonly eventTypes: readonly EventKind[];
  /** The service's own strings for states, as far as they are known. */
  readonly statuses: Statuses;
}

/** Event types of a delivery that has no courier yet. */
const BEFORE_COURIER: readonly EventKind[] = ["delivery.created", "delivery.queued", "delivery.offered"];

/** A short id for display, unique within a run. */
const shortId = (id: string): string => id.replaceAll("-", "").slice(0, 16);

/** The fields that identify a delivery. A receiver may use any of them to identify an order. */
export const identityOf = ({ id, external_ref, created_at }: Delivery) => ({ id, external_ref, created_at });

/** A version that a delivery may have in an event of this type. */
export const versionAt = (kind: EventKind): number => Math.max(1, DEFAULT_KINDS.indexOf(kind) + 1);

/** The fields of a delivery without a location (specification, "States and transitions"). */
export function unlocatedFields(): Partial<Delivery> {
  const { dropoff } = exampleDelivery();
  return {
    status: "RECEIVED",
    dropoff: { ...dropoff, lat: null, lng: null },
    ...{ fee: null, distance_m: null, road_km: null, eta_pickup_at: null, eta_dropoff_at: null },
  };
}

/** A valid delivery for an event of this type. The delivery is a new one unless `changes` contains an id. */
export function deliveryAt(
  kind: EventKind,
  changes: Partial<Delivery> = {},
  statuses: Statuses = {},
): Delivery {
  const now = isoInstant(wallClock());
  const reached = !BEFORE_COURIER.includes(kind);
  const { id = randomUUID() } = changes;
  return {
    ...exampleDelivery(),
    external_ref: `R-${shortId(id)}`,
    tracking_url: `https://dispatch.test/t/${shortId(id)}`,
    status: statusAt(kind, statuses),
    version: versionAt(kind),
    courier: reached ? { ...COURIER, location_at: now } : null,
    assigned_at: reached ? now : null,
    delivered_at: kind === "delivery.delivered" ? now : null,
    cancelled_at: kind === "delivery.cancelled" ? now : null,
    returned_at: kind === "delivery.returned" ? now : null,
    created_at: now,
    updated_at: now,
    ...changes,
    id,
  };
}

export const eventOf = (kind: EventKind, data: Delivery = deliveryAt(kind)): Event => ({
  id: randomUUID(),
  type: kind,
  timestamp: isoInstant(wallClock()),
  data,
});

/** A new event about a delivery, with the service's own strings for states as far as they are known. */
const eventAt = ({ statuses }: Subscription, kind: EventKind, changes: Partial<Delivery> = {}): Event =>
  eventOf(kind, deliveryAt(kind, changes, statuses));

/** Events of all subscribed types, one of each. */
export const eventsOfAllKinds = (subscription: Subscription): readonly Event[] =>
  subscription.eventTypes.map((kind) => eventAt(subscription, kind));

/** Events of the default types that aren't subscribed, one of each. */
export const eventsOfUnsubscribedDefaultKinds = (subscription: Subscription): readonly Event[] =>
  kindsLeftOut(subscription.eventTypes).map((kind) => eventAt(subscription, kind));

export const testEvent = (): Event => ({
  id: randomUUID(),
  type: TEST_KIND,
  timestamp: isoInstant(wallClock()),
  data: null,
});

/** An event about a courier's position, which must be subscribed explicitly. */
export const locationEvent = (subscription: Subscription): Event => eventAt(subscription, LOCATION_KIND);

/** The first preferred type that is subscribed. If there is none, the first subscribed type. */
function listedKind({ eventTypes }: Subscription, preferred: readonly EventKind[]): EventKind {
  const listed = preferred.find((kind) => eventTypes.includes(kind)) ?? eventTypes[0];
  if (listed === undefined) throw new Error("the subscription lists no event type");
  return listed;
}

/**
 * The preferred types for most events. Types whose status string is specified come first, because a receiver
 * may refuse other strings.
 */
const SAMPLE_KINDS: readonly EventKind[] = [
  "delivery.assigned",
  "delivery.updated",
  "delivery.queued",
  "delivery.created",
];

/** An event of the type that most checks send. */
export const sampleEvent = (subscription: Subscription, changes: Partial<Delivery> = {}): Event =>
  eventAt(subscription, listedKind(subscription, SAMPLE_KINDS), changes);

/** An event of this type. If the type isn't subscribed, an event of a subscribed type. */
export const eventLike = (
  subscription: Subscription,
  kind: EventKind,
  changes: Partial<Delivery> = {},
): Event => eventAt(subscription, listedKind(subscription, [kind, ...SAMPLE_KINDS]), changes);

/** The id of the delivery that an event is about. */
export function deliveryId({ type, data }: Event): string {
  if (!data) throw new Error(`${type} is about no delivery`);
  return data.id;
}

/** Types of events whose delivery may have no location. */
const WITHOUT_LOCATION: readonly EventKind[] = ["delivery.created", "delivery.updated", "delivery.cancelled"];

/** A delivery without its optional parts, such as customer, items and location. */
function sparseDelivery(kind: EventKind, statuses: Statuses): Delivery {
  const delivery = deliveryAt(kind, {}, statuses);
  const { store_id, version, package_count, prepaid, test: trial } = delivery;
  const { updated_at, assigned_at, delivered_at, cancelled_at, returned_at } = delivery;
  const hasLocation = !WITHOUT_LOCATION.includes(kind);
  const hasLeftReceived = hasLocation || kind === "delivery.cancelled";
  return {
    ...identityOf(delivery),
    ...{ store_id, version, package_count, prepaid, test: trial, updated_at },
    status: hasLeftReceived ? delivery.status : "RECEIVED",
    courier: hasLocation ? (delivery.courier ?? null) : null,
    dropoff: {
      text: "Divanyolu Caddesi 12",
      lat: hasLocation ? (delivery.dropoff.lat ?? null) : null,
      lng: hasLocation ? (delivery.dropoff.lng ?? null) : null,
      candidates: null,
    },
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
    assigned_at: hasLocation ? (assigned_at ?? null) : null,
    picked_up_at: null,
    delivered_at: delivered_at ?? null,
    cancelled_at: cancelled_at ?? null,
    returned_at: returned_at ?? null,
    delivery_pin: null,
    failure_reason: null,
    cancel_reason: null,
    unassigned_alert_at: null,
    loss: null,
  };
}

/** An event with every member, and an event with only the required members. */
export function fullAndSparse(subscription: Subscription): readonly [full: Event, sparse: Event] {
  const kind = listedKind(subscription, [...WITHOUT_LOCATION, "delivery.queued", "delivery.offered"]);
  return [eventAt(subscription, kind), eventOf(kind, sparseDelivery(kind, subscription.statuses))];
}

const ITEMS = 200;
const NOTE_CHARS = 500;
const REFERENCE_CHARS = 40;
/**
 * Names of items have no specified limit. With this length, the body stays within the limit of a request
 * (OPEN-228).
 */
const NAME_CHARS = 300;
const TURKISH = "Çift köfteli ızgara şiş, yanında ğöçü salatası ";

/** An event of the maximum size: 200 items, and the longest texts in non-ASCII letters. */
export function largestEvent(subscription: Subscription): Event {
  const text = (length: number) => TURKISH.repeat(Math.ceil(length / TURKISH.length)).slice(0, length);
  const event = eventLike(subscription, "delivery.created");
  const { data } = event;
  if (!data) throw new Error("every subscribed event type is about a delivery");
  const largest = {
    ...data,
    // Texts of the maximum length that are still unique.
    external_ref: `${text(REFERENCE_CHARS - data.external_ref.length)}${data.external_ref}`,
    notes: text(NOTE_CHARS),
    customer: { ...data.customer, note: text(NOTE_CHARS), phone_extension: "0".repeat(20) },
    items: Array.from({ length: ITEMS }, (_, i) => ({
      name: text(NAME_CHARS),
      quantity: i + 0.125,
      total: 1000 + i,
    })),
    package_count: 20,
  };
  return { ...event, data: largest };
}
