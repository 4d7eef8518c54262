import { clause } from "../../../../openapi/generated/clauses.ts";
import { LOCATION_KIND, TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { isObject } from "../../../core/json.ts";
import { ambiguousJson, jsonBytesFault } from "../../../core/json-bytes.ts";
import { type Check, check } from "../../check.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import {
  deliveryOf,
  envelopeOf,
  firstAttempts,
  isOfKind,
  kindOf,
} from "../../session/webhook-receiver/attempt.ts";
import {
  CLOCK_TOLERANCE_MS,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
  UNLOCATABLE_ADDRESS,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { expectNoEarlier, expectNoLater, numberIn } from "../../support/shown-values.ts";
import { arrivalsOf } from "../../support/webhooks/arrivals.ts";
import {
  COURIER_KINDS,
  createChangeAndCancel,
  INTEGRATOR_KINDS,
  isAbout,
  waitForEvent,
  waitForEvents,
} from "../../support/webhooks/delivery-events.ts";
import { expectSigned } from "../../support/webhooks/webhook-signatures.ts";
import { envelopeDataChecks } from "./envelope-data.ts";
import { envelopeLargestChecks } from "./envelope-largest.ts";
import { envelopeValuesChecks } from "./envelope-values.ts";

/** A UTC time with Z or a zero offset, because the specification requires Z only for times in responses. */
const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]00:?00)$/;

const request = check({
  id: "envelope.post-of-json",
  title: "an event arrives as a POST whose body is a JSON object",
  clauses: [clause["EVENT-1"], clause["EVENT-2"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox } = await context.subscribe();
    await createDelivery(context);
    await inbox.waitUntil((attempts) => attempts.length >= 2, "the events of a delivery's creation");
    await context.each(arrivalsOf(inbox), (attempt) => {
      inbox.markAsEvidence(attempt);
      const { method, json } = attempt;
      context.attributeTo(clause["EVENT-1"]);
      expectThat("method", method).is("POST");
      context.attributeTo(clause["EVENT-2"]);
      expectThat("the body", json).satisfies("a JSON object", isObject(json));
      expectThat(
        "faults in the bytes of the body",
        [jsonBytesFault(attempt.bytes)?.what ?? []].flat(),
      ).isEmpty();
    });
  },
});

const unambiguous = check({
  id: "envelope.unambiguous-json",
  title: "JSON in events has no duplicate field names and no lone surrogates",
  clauses: [clause["EVENT-49"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox } = await context.subscribe({ event_types: ["delivery.created"] });
    await createUnlocatedDelivery(context);
    await inbox.waitUntil((attempts) => attempts.length >= 1, "the event of a delivery's creation");
    await context.each(arrivalsOf(inbox), (attempt) => {
      inbox.markAsEvidence(attempt);
      const fault = ambiguousJson(new TextDecoder().decode(attempt.bytes), attempt.json);
      expectThat(`faults of the body of ${kindOf(attempt)}`, [fault ?? []].flat()).isEmpty();
    });
  },
});

const members = check({
  id: "envelope.members",
  title: "the envelope has a UUID as its id, the event type as its type, and a timestamp in UTC",
  clauses: [clause["EVENT-5"], clause["EVENT-6"], clause["EVENT-7"]],
  needs: ["receiver"],
  async run(context) {
    const { id, inbox } = await context.subscribe({ event_types: ["delivery.created"] });
    // The creation sends delivery.created. The server sends webhook.test whatever types the subscription lists.
    await createUnlocatedDelivery(context);
    (await context.api.call("testWebhook", { path: { id } })).expectSuccess();
    await inbox.waitUntil(
      (attempts) => firstAttempts(attempts).length >= 2,
      "delivery.created and webhook.test",
    );
    await context.each(arrivalsOf(inbox), (attempt) => {
      inbox.markAsEvidence(attempt);
      const envelope = envelopeOf(attempt);
      const kind = deliveryOf(attempt) ? "delivery.created" : TEST_KIND;
      context.attributeTo(clause["EVENT-5"]);
      expectThat("the envelope's id", envelope.id).isUuid();
      context.attributeTo(clause["EVENT-6"]);
      expectThat("the envelope's type", envelope.type).is(kind);
      context.attributeTo(clause["EVENT-7"]);
      expectThat("the envelope's timestamp", envelope.timestamp).matches(UTC_TIME);
      const now = context.now();
      expectNoEarlier(envelope.timestamp, now - CLOCK_TOLERANCE_MS, "the envelope's timestamp");
      expectNoLater(envelope.timestamp, now + CLOCK_TOLERANCE_MS, "the envelope's timestamp");
    });
  },
});

const version = check({
  id: "envelope.version",
  title: "the version in an event's data isn't higher than the version that GET returns next",
  clauses: [clause["VER-5"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await createDelivery(context);
    const before = await readDelivery(context.api, delivery.id);
    (await context.api.cancelDelivery(delivery.id)).expectSuccess();
    const event = await waitForEvent(inbox, "delivery.cancelled", delivery);
    await waitForEvents(inbox, ["delivery.created"], delivery);
    const after = await readDelivery(context.api, delivery.id);
    const subject = "version in delivery.cancelled";
    expectThat(subject, numberIn(deliveryOf(event)?.version, subject)).isMoreThan(before.version);
    await context.each(arrivalsOf(inbox, isAbout(delivery)), (attempt) => {
      inbox.markAsEvidence(attempt);
      const field = `version in ${kindOf(attempt)}`;
      expectThat(field, numberIn(deliveryOf(attempt)?.version, field)).isAtMost(after.version);
    });
  },
});

const subscribedKinds = check({
  id: "envelope.subscribed-kinds",
  title: "each endpoint gets only the event types that it subscribes to, and all of them",
  clauses: [clause["EVENT-3"], clause["EVENT-4"]],
  needs: ["receiver"],
  async run(context) {
    const typeLists = [
      INTEGRATOR_KINDS,
      ["delivery.created"],
      ["delivery.queued", "delivery.cancelled"],
      ["delivery.updated", "delivery.courier_location"],
      ["delivery.cancelled"],
    ];
    const subscriptions: (Subscription & { readonly event_types: readonly string[] })[] = [];
    for (const event_types of typeLists)
      subscriptions.push({ ...(await context.subscribe({ event_types })), event_types });
    const delivery = await createChangeAndCancel(context);
    const others = {
      "a test delivery": await createDelivery(context, { test: true }),
      "a delivery without coordinates": await createChangeAndCancel(context, {
        dropoff: UNLOCATABLE_ADDRESS,
      }),
    };
    const expectedKinds = (event_types: readonly string[]) =>
      INTEGRATOR_KINDS.filter((kind) => event_types.includes(kind));
    const nameOf = ({ event_types }: (typeof subscriptions)[number]) =>
      `the subscription to ${event_types.join(" and ")}`;
    const endpoints = cases("endpoints", subscriptions, nameOf);
    context.attributeTo(clause["EVENT-3"]);
    await context.each(
      endpoints,
      async ({ inbox, waitForSentinelEvent, event_types }) => {
        await waitForEvents(inbox, expectedKinds(event_types), delivery);
        await waitForSentinelEvent();
      },
      // Waits for the events concurrently, so that missing events share one timeout.
      { concurrency: subscriptions.length },
    );
    context.attributeTo(clause["EVENT-4"]);
    await context.each(endpoints, ({ inbox, event_types }) => {
      const kinds = new Set(inbox.attempts.filter(isAbout(delivery)).map(kindOf));
      expectThat(
        `event types sent to the subscription to ${event_types.join(" and ")}`,
        [...kinds].toSorted(),
      ).is(expectedKinds(event_types).toSorted());
      for (const [name, other] of Object.entries(others)) {
        const unwanted = inbox.attempts.filter(isAbout(other)).map(kindOf);
        const where = `about ${name} sent to the subscription to ${event_types.join(" and ")}`;
        for (const type of unwanted) expectThat({ field: "type", where }, type).isOneOf(event_types);
      }
    });
  },
});

const othersEvents = check({
  id: "envelope.of-another",
  title:
    "no event of a delivery reaches another integrator's endpoint, no other integrator changes an endpoint's secret, and each signs its own events to a url that both subscribed",
  clauses: [clause["ISO-17"], clause["SIGN-6"]],
  needs: ["receiver", "second-integrator"],
  async run(context) {
    context.attributeTo(clause["ISO-17"]);
    const own = await context.subscribe();
    const toDefaults = await context.subscribe({ integrator: context.other });
    const toCancellations = await context.subscribe({
      integrator: context.other,
      event_types: ["delivery.cancelled"],
    });
    const delivery = await createChangeAndCancel(context);
    await waitForEvents(own.inbox, INTEGRATOR_KINDS, delivery);
    const endpoints = {
      "a subscription to the default event types": toDefaults,
      "a subscription to delivery.cancelled": toCancellations,
    };
    await context.each(
      casesFrom("endpoints of the other integrator", endpoints),
      async ([, { waitForSentinelEvent, inbox }]) => {
        await waitForSentinelEvent();
        const unexpected = inbox.attempts.filter(isAbout(delivery)).map(kindOf);
        attributeFailures([clause["ISO-17"]], () =>
          expectThat("another integrator's events at this endpoint", unexpected).isEmpty(),
        );
      },
    );
    context.attributeTo(clause["SIGN-6"]);
    const path = { id: own.id };
    await context.other.api.sendInvalid("rotateWebhookSecret", "another integrator's subscription", { path });
    const sameUrl = await context.subscribe({
      integrator: context.other,
      event_types: ["delivery.updated"],
      inbox: own.inbox,
    });
    const event = await waitForEvent(own.inbox, "delivery.created", await createDelivery(context));
    expectSigned([event], own.secret);
    await sameUrl.waitForSentinelEvent();
    expectSigned(
      own.inbox.attempts.filter(isOfKind(TEST_KIND)),
      sameUrl.secret,
      "the secret of the other integrator, which subscribed the same url and requested the test events,",
    );
  },
});

const othersCourierEvents = check({
  id: "envelope.of-another-on-the-way",
  title: "no event of a courier's action or position reaches another integrator's endpoint",
  clauses: [clause["ISO-23"]],
  needs: ["receiver", "courier", "second-integrator"],
  async run(context) {
    const event_types = [...COURIER_KINDS, LOCATION_KIND];
    const own = await context.subscribe({ event_types });
    const others = await context.subscribe({ event_types, integrator: context.other });
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "en_route");
    // A service may report no positions, so the event of the position isn't awaited.
    await context.performCourierAction(delivery.id, "courier_location", { location: near(context.point, 3) });
    await waitForEvents(own.inbox, ["delivery.assigned", "delivery.en_route"], delivery);
    await others.waitForSentinelEvent();
    expectThat(
      "another integrator's events at this endpoint",
      others.inbox.attempts.filter(isAbout(delivery)).map(kindOf),
    ).isEmpty();
  },
});

const eventsOfTheSameStoreId = check({
  id: "envelope.of-another-with-the-same-store-id",
  title:
    "two integrators with the same external_store_id get only the events of their own deliveries of that store",
  clauses: [clause["ISO-17"]],
  needs: ["receiver", "second-integrator", "pairing"],
  async run(context) {
    const { api, other, point } = context;
    const { external_store_id } = await other.store();
    // Another check, or an earlier run, may have linked a store with this id already.
    if ((await api.getStore(external_store_id)).status !== 200) {
      const { pairing_code } = await context.pairingCode();
      const sameId = newStoreRegistration(point, pairing_code, { external_store_id });
      context.expectLinkedStore(
        await api.registerStore(sameId),
        "another integrator has a store with this external_store_id",
      );
    }
    const integrators = {
      "the first integrator": { api, endpoint: await context.subscribe() },
      "the second integrator": {
        api: other.api,
        endpoint: await context.subscribe({ integrator: other }),
      },
    };
    const order = await context.order({ store: { external_store_id } });
    const ids = new Map<string, string>();
    for (const [name, { api: owner }] of Object.entries(integrators))
      ids.set(name, (await owner.createDelivery(order)).body(201).id);
    await context.each(casesFrom("integrators", integrators), async ([name, { endpoint }]) => {
      const { inbox, waitForSentinelEvent } = endpoint;
      await waitForEvent(inbox, "delivery.created", { id: ids.get(name) ?? "" });
      await waitForSentinelEvent();
      for (const [owner, id] of ids) {
        if (owner === name) continue;
        const unexpected = inbox.attempts.filter(isAbout({ id })).map(kindOf);
        attributeFailures([clause["ISO-17"]], () =>
          expectThat(
            `events of ${owner}, whose store has the same external_store_id, at the endpoint of ${name}`,
            unexpected,
          ).isEmpty(),
        );
      }
    });
  },
});

export const envelopeChecks: readonly Check[] = [
  ...envelopeLargestChecks,
  request,
  unambiguous,
  members,
  ...envelopeDataChecks,
  ...envelopeValuesChecks,
  version,
  subscribedKinds,
  othersEvents,
  othersCourierEvents,
  eventsOfTheSameStoreId,
];
