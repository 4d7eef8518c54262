import type { MutantId } from "./index.ts";

/**
 * Where the failure by a mutant is said to be that breaks some of several, by the check that goes through all of them:
 * how that begins, behind the count. Sets of the ledger have their mutants besides, one for each element.
 */
const PLACES: Readonly<Record<string, Readonly<Partial<Record<MutantId, string>>>>> = {
  "areas.circle": { "area-radius-by-default": "radii: 8000 m, 2500 m" },
  "changes.phone-extension": { "patched-extension-loses-leading-zeros": "extensions: 0071;" },
  "courier.return-reason": { "reason-told-at-the-door-is-lost": "reasons: at the door;" },
  "courier.times-stay": {
    "assigned-at-moves-to-the-restaurant": "moves: at_pickup;",
    "picked-up-at-moves-with-the-courier": "moves: en_route;",
  },
  "courier.collected-type": { "collected-at-the-pick-up": "stages: picked_up;" },
  "creation.repeated-reference": {
    "reference-repeats-in-received": "pairs of orders: without coordinates at first;",
    "reference-of-a-scheduled-order-repeats": "pairs of orders: scheduled for tomorrow, with a PIN;",
    "reference-repeats-in-prepaid-orders": "pairs of orders: prepaid, in several packages;",
  },
  "creation.unknown-store": {
    "unknown-store-falls-back-when-scheduled": "orders: scheduled for tomorrow, with a PIN;",
    "unknown-store-falls-back-when-prepaid": "orders: prepaid, in several packages;",
  },
  "creation.unknown-payment-type": { "payment-of-any-code-taken-when-prepaid": "orders: prepaid;" },
  "credit.cancelled": {
    "credit-stays-without-coordinates": "deliveries: without coordinates;",
    "credit-taken-again-once-located": "deliveries: located later;",
    "credit-stays-when-scheduled": "deliveries: scheduled for tomorrow;",
    "credit-taken-again-for-a-repeat": "deliveries: asked for twice with one key;",
  },
  "credit.cancelled-after-an-offer": {
    "credit-stays-while-offered": "offers: still standing;",
    "credit-stays-after-an-offer": "offers: lapsed;",
  },
  "credit.cancelled-with-a-courier": {
    "credit-stays-at-the-restaurant": "moves of the courier: at_pickup;",
  },
  "delivery-fields.dropoff-text": {
    "directions-lost-without-coordinates": "orders with directions: without coordinates;",
  },
  "delivery-fields.prepaid": { "prepaid-always-false": "orders: prepaid: true;" },
  "emission.changes-with-a-courier": {
    "assigned-change-unreported": "stages: assigned;",
    "change-at-the-restaurant-unreported": "stages: at_pickup;",
  },
  "emission.missed": { "cancellation-keeps-its-place": "changes: a cancellation;" },
  "emission.of-another-store": {
    "events-of-the-first-store-only": "deliveries: of the second store;",
  },
  "emission.test-event": {
    "test-event-only-for-the-default-kinds": "addresses: one of delivery.cancelled;",
  },
  "envelope.data-is-the-delivery": {
    "delivery.updated-without-its-last-change": "events: delivery.updated;",
  },
  "envelope.data-on-the-way": { "delivered-event-without-courier": "events: delivery.delivered;" },
  "envelope.members": { "event-type-is-the-status": "events: RECEIVED, RECEIVED" },
  "envelope.of-another": {
    "cancellations-go-to-every-integrator":
      "addresses of the other: one of the default kinds, one of delivery.cancelled",
  },
  "envelope.subscribed-kinds": {
    "only-four-addresses-get-events": "addresses: that of delivery.cancelled;",
  },
  "errors.absent-records": { "absent-store-answers-400": "operations: createDelivery;" },
  "errors.not-an-object": { "null-body-is-an-error": "requests: createDelivery with null;" },
  "event-kinds.position": {
    "positions-go-to-the-default-kinds": "addresses: one of the default kinds;",
  },
  "idempotency.key-lengths": { "idempotency-key-of-128-refused": "keys: of 128 characters;" },
  "idempotency.nearly-same-body": {
    "idempotency-ignores-times": "places where an order differs: ready_at, scheduled_for;",
    "idempotency-ignores-packages": "places where an order differs: package_count;",
    "idempotency-ignores-the-payment-type": "places where an order differs: payment.type;",
    "idempotency-ignores-what-is-paid": "places where an order differs: payment.prepaid;",
    "idempotency-ignores-the-channel": "places where an order differs: origin_channel;",
  },
  "idempotency.repeat-after-a-change": {
    "idempotency-repeat-after-a-new-address-is-refused": "changed fields: dropoff;",
    "idempotency-repeat-after-a-new-customer-is-refused": "changed fields: customer.name;",
  },
  "limits.identity": { "requests-about-webhooks-are-not-counted": "operations: listWebhooks;" },
  "list-filters.external-ref": {
    "reference-found-by-its-beginning": "order numbers: the one as it is;",
  },
  "list-filters.malformed-times": { "malformed-from-is-ignored": "parameters: from;" },
  "paging.limit": { "limit-of-1-is-refused": "limits: limit=1;" },
  "paging.page-sizes": { "limit-of-201-is-taken": "limits: limit=201;" },
  "passive.bodies-are-json": { "areas-as-text": "operations: listDeliveryAreas; held at " },
  "passive.no-5xx": { "bad-cursor-answers-500": "operations: listDeliveries; held at " },
  "passive.subscription-schema": {
    "listed-webhook-since-is-a-number": "operations: listWebhooks; held at ",
  },
  "passive.webhook-secrets": {
    "webhook-list-shows-secrets": "operations: listWebhooks; held at ",
    "webhook-test-shows-the-secret": "operations: testWebhook; held at ",
  },
  "payment-types.codes": {
    "payment-code-in-small-letters-taken": "codes that aren't listed: nakit;",
  },
  "proofs.listed": {
    "photo-mime-is-always-jpeg": "photos: 2 (image/jpeg), 3 (image/jpeg);",
  },
  "quotes.couriers-on-shift": {
    "quote-couriers-on-shift-at-most-five": "numbers of couriers: 7;",
  },
  "quotes.far": {
    "far-quote-for-later-is-serviceable": "questions: scheduled for tomorrow;",
    "far-quote-for-what-is-ready-later-is-serviceable": "questions: ready in an hour;",
  },
  "quotes.nowhere": {
    "quote-serves-0-0": "places: 0,0, 0,0, scheduled for tomorrow;",
    "quote-serves-abroad-for-later": "places: -48.9,-123.4, scheduled for tomorrow;",
  },
  "quotes.required-fields": { "quote-latitude-optional": "incomplete quotes: no dropoff.lat;" },
  "quotes.same-fee-for-any-order": {
    "fee-for-each-package": "orders: of several packages;",
    "fee-of-a-pin": "orders: with a PIN;",
    "prepaid-order-has-no-fee": "orders: paid before;",
  },
  "quotes.suspended-store": { "quote-for-a-closed-store": "states of the store: closed;" },
  "quotes.times": {
    "quote-takes-schedules-in-utc-only": "ways to write a time: scheduled_for with an offset;",
  },
  "service-area.inactive-store": {
    "suspended-store-takes-scheduled-orders": "orders: scheduled for tomorrow, with a PIN;",
    "suspended-store-takes-prepaid-orders": "orders: prepaid, in several packages;",
    "closed-store-takes-scheduled-orders": "orders: scheduled for tomorrow, with a PIN;",
  },
  "service-area.far-order": {
    "far-schedule-is-taken": "orders: scheduled for tomorrow, with a PIN;",
    "far-prepaid-order-is-taken": "orders: prepaid, in several packages;",
  },
  "service-area.far-change": {
    "far-locating-is-taken": "deliveries: without coordinates;",
    "far-change-of-a-schedule-is-taken": "deliveries: scheduled for tomorrow, with a PIN;",
    "far-change-of-a-prepaid-order-is-taken": "deliveries: prepaid, in several packages;",
  },
  "states.ignored-coordinates": { "null-island-is-a-place": "coordinates to be ignored: 0,0;" },
  "states.open-deliveries-are-cancelled": {
    "received-is-not-cancelled": "open deliveries: RECEIVED;",
  },
  "stores.encoded-identifier": {
    "store-path-plus-is-a-space": 'endings of an external_store_id: "+2";',
  },
  "stores.measured-from-the-store": {
    "distance-east-and-west-as-on-the-equator": "directions: to the east, to the west;",
    "distance-0-is-null": "directions: to its own door;",
  },
  "stores.measured-after-a-move": {
    "repeat-keeps-lng-beside-the-same-lat": "places of the store: after another, to the east alone;",
  },
  "stores.repeat": {
    "repeat-keeps-the-old-address": "places where the store is shown: when it is read, when it is listed;",
    "repeat-is-not-listed": "places where the store is shown: when it is listed;",
  },
  "subscriptions.rotation-takes-over": { "second-rotation-is-not-kept": "rotations: the second;" },
  "subscriptions.https-only": {
    "http-webhook-taken": "addresses: http of a public host, http of the receiver's, ftp;",
  },
  "test-deliveries.cancelled": {
    "test-without-coordinates-stays-open": "test deliveries: without coordinates;",
    "scheduled-test-waits-for-its-time": "test deliveries: with a scheduled_for;",
  },
  "times.without-zone-in-query": { "created-from-without-zone-taken": "parameters: created_from;" },
  "times.zones": { "sign-of-an-offset-for-its-hours-alone": "zones: -09:30, -03:30;" },
  "tracking.end": {
    "tracking-of-cancelled-ends-90-seconds-late":
      "deliveries: one that was cancelled, one that was cancelled with",
    "tracking-of-assigned-and-cancelled-never-ends":
      "deliveries: one that was cancelled with a courier assigned;",
    "tracking-of-unlocated-and-cancelled-never-ends":
      "deliveries: one that was cancelled without coordinates;",
    "tracking-of-scheduled-and-cancelled-never-ends":
      "deliveries: one that was cancelled before its scheduled time;",
  },
  "versioning.documented-paths": { "cancel-by-delete": "operations: cancelDelivery;" },
};

export const placeOf = (mutant: string, check: { readonly id: string }): string | undefined =>
  Object.entries(PLACES[check.id] ?? {}).find(([id]) => id === mutant)?.[1];
