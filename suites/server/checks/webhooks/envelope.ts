import { expect } from "vitest";
import { schemaFault } from "../../../core/document.ts";
import { TEST_KIND } from "../../../core/event-kinds.ts";
import { documentedDelivery } from "../../session/documented.ts";
import {
  deliveryOf,
  envelopeOf,
  firstAttempts,
  isOfKind,
  kindOf,
} from "../../session/webhook-receiver/attempt.ts";
import { expectShown } from "../../support/assertions.ts";
import { CLOCK_TOLERANCE_MS, isSteady, opened, openedNowhere, read } from "../../support/deliveries.ts";
import {
  INTEGRATOR_KINDS,
  isAbout,
  openChangeAndCancel,
  waitForEvent,
  waitForEvents,
} from "../../support/delivery-events.ts";
import { type Check, check } from "../define.ts";

/** Any version of UUID (OPEN-27). */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A time in UTC that ends in Z; its fraction is open (OPEN-8). */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?Z$/;

const request = check({
  id: "envelope.post-of-json",
  title: "an event arrives as a POST whose body is a JSON object",
  clauses: ["EVENT-1", "EVENT-2"],
  needs: ["receiver"],
  mutants: ["event-sent-with-put", "event-body-is-a-batch", "event-body-is-a-form"],
  async run(context) {
    const { inbox } = await context.subscribe();
    await opened(context);
    await inbox.until((attempts) => attempts.length >= 2, "the events of a delivery's opening");
    for (const { method, json } of inbox.attempts) {
      expect(method, "method").toBe("POST");
      expect(json, "body").toBeTypeOf("object");
      expect(Array.isArray(json) || json === null, "that the body is an array or null").toBe(false);
    }
  },
});

const members = check({
  id: "envelope.members",
  title: "the envelope has a UUID as its id, the event's kind as its type, and a timestamp in UTC",
  clauses: ["EVENT-5", "EVENT-6", "EVENT-7"],
  needs: ["receiver"],
  mutants: [
    "envelope-id-with-prefix",
    "event-type-without-prefix",
    "event-type-is-the-status",
    "envelope-time-with-offset",
    "envelope-time-in-unix-seconds",
    "envelope-time-is-local",
  ],
  async run(context) {
    const { id, inbox } = await context.subscribe({ event_types: ["delivery.created"] });
    // The one kind of this address, and the one that comes whatever the kinds are.
    await openedNowhere(context);
    (await context.api.call("testWebhook", { path: { id } })).succeeded();
    await inbox.until((attempts) => firstAttempts(attempts).length >= 2, "two events");
    for (const attempt of inbox.attempts) {
      const envelope = envelopeOf(attempt);
      const kind = deliveryOf(attempt) ? "delivery.created" : TEST_KIND;
      expect(envelope.id ?? "", "the envelope's id").toMatch(UUID);
      expect(envelope.type, "the envelope's type").toBe(kind);
      expect(envelope.timestamp ?? "", "the envelope's timestamp").toMatch(UTC);
      const off = Math.abs(Date.parse(envelope.timestamp ?? "") - context.now());
      expect(off, "milliseconds between the envelope's timestamp and now").toBeLessThan(CLOCK_TOLERANCE_MS);
    }
  },
});

const data = check({
  id: "envelope.data-is-the-delivery",
  title: "data is the full delivery that the event is about",
  clauses: ["EVENT-8", "EVENT-9"],
  needs: ["receiver"],
  mutants: ["event-data-is-a-summary", "event-data-has-text-for-numbers", "event-data-of-the-one-before"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const [first, second] = [await openChangeAndCancel(context), await opened(context)];
    for (const kind of INTEGRATOR_KINDS) await inbox.first(isOfKind(kind), kind);
    await inbox.until(
      (attempts) => firstAttempts(attempts.filter(isOpening)).length >= 2,
      "delivery.created of two deliveries",
    );
    const events = firstAttempts(inbox.attempts);
    for (const event of events) {
      expect(schemaFault("Delivery", deliveryOf(event)), `what is wrong with ${kindOf(event)}`).toBe(
        undefined,
      );
    }
    const about = events.filter(isOpening).map(deliveryOf);
    expect(about.map((one) => [one?.id, one?.external_ref]).toSorted(), "whom the openings are of").toEqual(
      [first, second].map((one) => [one.id, one.external_ref]).toSorted(),
    );
  },
});

const isOpening = isOfKind("delivery.created");

/** Where the members of an object stand, and theirs. */
const pathsOf = (value: unknown, path = ""): readonly string[] =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? []
    : Object.entries(value).flatMap(([key, member]) => [
        `${path}${key}`,
        ...pathsOf(member, `${path}${key}.`),
      ]);

const likeARead = check({
  id: "envelope.data-like-a-read",
  title: "every field that reading the delivery shows is in the event's data too",
  clauses: ["EVENT-10"],
  needs: ["receiver"],
  mutants: ["event-data-without-address", "event-data-without-tracking"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await openChangeAndCancel(context);
    const event = await waitForEvent(inbox, "delivery.cancelled", delivery);
    const told = pathsOf(documentedDelivery(deliveryOf(event)));
    const shown = pathsOf(documentedDelivery(await read(context.api, delivery.id)));
    const untold = shown.filter((path) => !told.includes(path));
    expect(untold, "fields that are read and not told").toEqual([]);
  },
});

/** What the integrator sends of a delivery and nobody else changes. */
const SENT = [
  "external_ref",
  "store_id",
  "dropoff.text",
  "payment.type",
  "payment.amount_due",
  "customer.name",
  "customer.phone",
  "items",
  "notes",
  "package_count",
  "created_at",
];

const valuesLikeARead = check({
  id: "envelope.values-like-a-read",
  title: "what the event of a delivery's end shows is what reading the delivery shows",
  clauses: ["EVENT-41"],
  needs: ["receiver"],
  mutants: ["event-phone-is-national", "event-status-is-another-word"],
  async run(context) {
    const { inbox } = await context.subscribe();
    // After its cancellation nothing changes a delivery any more.
    const delivery = await openChangeAndCancel(context);
    const event = await waitForEvent(inbox, "delivery.cancelled", delivery);
    const shown = documentedDelivery(await read(context.api, delivery.id));
    const steady = Object.entries(shown).filter(([key]) => isSteady(key) || key === "status");
    expectShown(deliveryOf(event), Object.fromEntries(steady), "the data of delivery.cancelled");
  },
});

const isCouriers = (path: string) => ["courier", "courier.name", "courier.phone"].includes(path);

const onTheWay = check({
  id: "envelope.data-on-the-way",
  title: "the data of what a courier's moves send has all that the integrator sent",
  clauses: ["EVENT-40"],
  needs: ["receiver", "courier", "pairing"],
  mutants: [
    "event-data-without-items-on-the-way",
    "delivered-event-without-courier",
    "courier-events-of-the-first-store-only",
  ],
  async run(context) {
    const { inbox, fence } = await context.subscribe();
    // Not the store that was linked first.
    await context.store();
    const { external_store_id } = await context.anotherStore();
    const delivery = await opened(context, {
      store: { external_store_id },
      notes: "Zili çalmayın",
      package_count: 2,
    });
    await context.bring(delivery.id, "delivered");
    await waitForEvents(inbox, ["delivery.delivered"], delivery);
    await fence();
    const shown = pathsOf(documentedDelivery(await read(context.api, delivery.id)));
    const sent = SENT.filter((path) => shown.includes(path));
    expect(sent, "what reading the delivery shows").not.toEqual([]);
    for (const event of inbox.attempts.filter(isAbout(delivery))) {
      const told = pathsOf(documentedDelivery(deliveryOf(event)));
      // The last one is as late as the reading.
      const due = isOfKind("delivery.delivered")(event) ? [...sent, ...shown.filter(isCouriers)] : sent;
      const untold = due.filter((path) => !told.includes(path));
      expect(untold, `what ${kindOf(event)} lacks of what reading it shows`).toEqual([]);
    }
  },
});

const testData = check({
  id: "envelope.test-has-no-data",
  title: "data of webhook.test is null",
  clauses: ["EVENT-11"],
  needs: ["receiver"],
  mutants: ["test-event-carries-an-object"],
  async run(context) {
    const { inbox, fence } = await context.subscribe();
    await fence();
    const tests = inbox.attempts.filter(isOfKind(TEST_KIND));
    for (const test of tests) expect(envelopeOf(test).data ?? null, "data").toBeNull();
  },
});

const version = check({
  id: "envelope.version",
  title: "the version in an event's data is one of the delivery's own: no newer than what is read then",
  clauses: ["VER-5"],
  needs: ["receiver"],
  mutants: ["event-version-is-ahead", "event-version-is-the-first", "event-version-counts-all-events"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const first = await opened(context);
    const before = await read(context.api, first.id);
    (await context.api.cancelDelivery(first.id)).succeeded();
    const event = await waitForEvent(inbox, "delivery.cancelled", first);
    await waitForEvents(inbox, ["delivery.created"], first);
    const after = await read(context.api, first.id);
    expect(Number(deliveryOf(event)?.version), "version with the cancellation").toBeGreaterThan(
      before.version,
    );
    for (const attempt of inbox.attempts.filter(isAbout(first))) {
      expect(Number(deliveryOf(attempt)?.version), `version in ${kindOf(attempt)}`).toBeLessThanOrEqual(
        after.version,
      );
    }
  },
});

const subscribedKinds = check({
  id: "envelope.subscribed-kinds",
  title: "each address gets every kind that it subscribes to, and no other",
  clauses: ["EVENT-3", "EVENT-4"],
  needs: ["receiver"],
  mutants: [
    "only-the-first-address-gets-events",
    "only-four-addresses-get-events",
    "kinds-are-not-asked",
    "one-address-for-each-kind",
  ],
  async run(context) {
    const wishes = [
      INTEGRATOR_KINDS,
      ["delivery.created"],
      ["delivery.queued", "delivery.cancelled"],
      ["delivery.updated", "delivery.courier_location"],
      ["delivery.cancelled"],
    ];
    const subscriptions = [];
    for (const event_types of wishes) subscriptions.push(await context.subscribe({ event_types }));
    const delivery = await openChangeAndCancel(context);
    for (const [i, { inbox, fence }] of subscriptions.entries()) {
      const wanted = INTEGRATOR_KINDS.filter((kind) => wishes[i]?.includes(kind));
      await waitForEvents(inbox, wanted, delivery);
      await fence();
      const kinds = new Set(inbox.attempts.filter(isAbout(delivery)).map(kindOf));
      expect([...kinds].toSorted(), `kinds for ${wishes[i]?.join(", ")}`).toEqual(wanted.toSorted());
    }
  },
});

const othersEvents = check({
  id: "envelope.of-another",
  title: "no event of a delivery reaches another integrator's address",
  clauses: ["ISO-17"],
  needs: ["receiver", "second-integrator"],
  mutants: [
    "events-go-to-every-integrator",
    "events-go-to-who-lists-one-kind",
    "cancellations-go-to-every-integrator",
  ],
  async run(context) {
    const ours = await context.subscribe();
    const theirs = await context.subscribe({ party: context.other });
    const listing = await context.subscribe({ party: context.other, event_types: ["delivery.cancelled"] });
    const delivery = await openChangeAndCancel(context);
    await waitForEvents(ours.inbox, INTEGRATOR_KINDS, delivery);
    for (const { fence, inbox } of [theirs, listing]) {
      await fence();
      expect(inbox.attempts.filter(isAbout(delivery)), "our events at the other's address").toEqual([]);
    }
  },
});

/** What is in an event, and whom it is sent to. */
export const envelope: readonly Check[] = [
  request,
  members,
  data,
  likeARead,
  valuesLikeARead,
  onTheWay,
  testData,
  version,
  subscribedKinds,
  othersEvents,
];
