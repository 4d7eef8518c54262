import { accepted, tellsApart } from "../answers.ts";
import { type ReceiverCheck, receiverCheck } from "../check.ts";
import {
  anEvent,
  DEFAULT_KINDS,
  type Delivery,
  deliveryAt,
  type Event,
  eventOf,
  locationEvent,
  testEvent,
} from "../events.ts";

const defaultKinds = receiverCheck({
  id: "kinds.default",
  title: "an event of each of the fourteen default kinds is accepted",
  clauses: ["RECV-1", "RECV-30"],
  mutants: [
    "refuses-a-kind-it-has-no-case-for",
    "answers-with-a-redirect",
    "answers-404-for-deliveries-it-does-not-know",
    "accepts-nothing",
  ],
  async run(context) {
    await tellsApart(context);
    for (const kind of DEFAULT_KINDS) await accepted(context, context.attempt(eventOf(kind)), kind);
  },
});

const test = receiverCheck({
  id: "kinds.test-event",
  title: "webhook.test is accepted, whose data is null",
  clauses: ["RECV-2"],
  mutants: ["refuses-test-events", "reads-data-before-the-kind"],
  async run(context) {
    await tellsApart(context);
    await accepted(context, context.attempt(testEvent()), "webhook.test");
  },
});

/** Every field that may be null is, or has a value: both are legal. */
function emptied(delivery: Delivery): Delivery {
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

const sparse = receiverCheck({
  id: "kinds.sparse-deliveries",
  title: "a delivery that has no courier, customer, items or location yet is accepted",
  clauses: ["RECV-1", "RECV-30"],
  mutants: ["reads-the-couriers-name-unasked", "needs-a-location"],
  async run(context) {
    await tellsApart(context);
    const kind = "delivery.created";
    const full = deliveryAt(kind);
    await accepted(context, context.attempt(eventOf(kind, full)), "a delivery with everything");
    await accepted(context, context.attempt(eventOf(kind, emptied(deliveryAt(kind)))), "a sparse delivery");
  },
});

const positions = receiverCheck({
  id: "kinds.courier-location",
  title: "an event about a courier's position is accepted, asked for or not",
  clauses: ["RECV-34"],
  mutants: ["refuses-courier-positions"],
  async run(context) {
    await tellsApart(context);
    await accepted(context, context.attempt(locationEvent()), "delivery.courier_location");
  },
});

const unknownKinds = receiverCheck({
  id: "kinds.unknown",
  title: "an event of a kind that doesn't exist yet is accepted",
  clauses: ["RECV-34"],
  mutants: ["refuses-unknown-kinds", "fails-on-kinds-of-other-resources"],
  async run(context) {
    await tellsApart(context);
    await accepted(context, context.attempt(eventOf("delivery.handed_over", deliveryAt("delivery.arrived"))));
    await accepted(context, context.attempt({ ...testEvent(), type: "store.suspended" }), "an unknown kind");
  },
});

/** The body of an event with members that nobody knows yet. */
const withMore = ({ data, ...event }: Event): string =>
  JSON.stringify({
    ...event,
    attempt: 1,
    data: { ...data, carbon_grams: 12.5, courier: { name: "Mehmet", rating: { stars: 4.9 } } },
  });

const unknownFields = receiverCheck({
  id: "kinds.unknown-fields",
  title: "an event with fields and values that aren't known yet is accepted",
  clauses: ["RECV-34"],
  mutants: ["refuses-unknown-fields", "refuses-unknown-fields-of-deliveries", "refuses-unknown-statuses"],
  async run(context) {
    await tellsApart(context);
    const event = anEvent();
    await accepted(context, context.attempt(event, { body: withMore(event) }), "an event with more fields");
    await accepted(
      context,
      context.attempt(anEvent({ status: "HANDED_OVER" })),
      "an event with a new status",
    );
  },
});

/** What is sent: every kind, with everything and with little, known and not. */
export const kinds: readonly ReceiverCheck[] = [
  defaultKinds,
  test,
  sparse,
  positions,
  unknownKinds,
  unknownFields,
];
