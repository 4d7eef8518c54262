import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { LOCATION_KIND, TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { valuesAt } from "../../../core/contract/resource-fields.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { documentedDelivery } from "../../session/http/documented.ts";
import {
  deliveryOf,
  envelopeOf,
  firstAttempts,
  isOfKind,
  kindOf,
} from "../../session/webhook-receiver/attempt.ts";
import { reportPosition } from "../../support/courier/courier.ts";
import { cancelDelivery, createDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { arrivalsOf, eventsAmong } from "../../support/webhooks/arrivals.ts";
import {
  createChangeAndCancel,
  eventsOf,
  expectFullDelivery,
  INTEGRATOR_KINDS,
  isAbout,
  waitForEvent,
  waitForEvents,
  waitForPositions,
} from "../../support/webhooks/delivery-events.ts";

const data = check({
  id: "envelope.data-is-the-delivery",
  title: "data is the full delivery that the event is about",
  clauses: [clause["EVENT-8"], clause["EVENT-9"]],
  needs: ["receiver"],
  async run(context) {
    // Comes before the subscription, because finding an accepted payment type creates orders, whose events
    // would arrive.
    await context.paymentType();
    const { inbox } = await context.subscribe();
    const [first, second] = [await createChangeAndCancel(context), await createDelivery(context)];
    for (const kind of INTEGRATOR_KINDS) await inbox.waitForFirst(isOfKind(kind), kind);
    await inbox.waitUntil(
      (attempts) => firstAttempts(attempts.filter(isCreation)).length >= 2,
      "delivery.created of two deliveries",
    );
    const events = firstAttempts(inbox.attempts);
    context.attributeTo(clause["EVENT-8"]);
    await context.each(eventsAmong(events), (event) => {
      inbox.markAsEvidence(event);
      expectFullDelivery(event);
    });
    context.attributeTo(clause["EVENT-9"]);
    const inEvent = events.map(deliveryOf).filter((delivery) => delivery !== undefined);
    context.recordCoverage(
      "never-null-members-of-webhook-data",
      elementsOf("never-null-members-of-webhook-data").filter((member) =>
        inEvent.some((delivery) => valuesAt(delivery, member).some((value) => (value ?? null) !== null)),
      ),
    );
    const created = events.filter(isCreation).map(deliveryOf);
    expectThat(
      "the deliveries of the delivery.created events",
      created.map((delivery) => [delivery?.id, delivery?.external_ref]).toSorted(),
    ).is([first, second].map(({ id, external_ref }) => [id, external_ref]).toSorted());
  },
});

const isCreation = isOfKind("delivery.created");

const sameReference = check({
  id: "envelope.data-of-the-same-reference",
  title: "the events of two stores' deliveries with one external_ref each contain their own delivery",
  clauses: [clause["EVENT-9"]],
  needs: ["receiver", "pairing"],
  async run(context) {
    const { api, order, subscribe } = context;
    const body = await order();
    const { external_store_id } = await context.anotherStore();
    const { inbox, waitForSentinelEvent } = await subscribe();
    const deliveries = {
      "the first store's": (await api.createDelivery(body)).body(201),
      "the second store's": (await api.createDelivery({ ...body, store: { external_store_id } })).body(201),
    };
    for (const { id } of Object.values(deliveries)) await cancelDelivery(api, id);
    await waitForSentinelEvent();
    const kinds = ["delivery.created", "delivery.cancelled"] as const;
    await context.each(casesFrom("deliveries with one external_ref", deliveries), async ([, delivery]) => {
      for (const kind of kinds) {
        const event = await waitForEvent(inbox, kind, delivery);
        inbox.markAsEvidence(event);
        expectThat(`store_id in ${kind}`, deliveryOf(event)?.store_id).is(delivery.store_id);
      }
    });
  },
});

/** The paths of an object's members, including nested ones. */
const pathsOf = (value: unknown, path = ""): readonly string[] =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? []
    : Object.entries(value).flatMap(([key, member]) => [
        `${path}${key}`,
        ...pathsOf(member, `${path}${key}.`),
      ]);

const fieldsOfARead = check({
  id: "envelope.data-like-a-read",
  title: "an event's data has every field of the delivery returned by GET",
  clauses: [clause["EVENT-10"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const delivery = await createChangeAndCancel(context);
    const event = await waitForEvent(inbox, "delivery.cancelled", delivery);
    const inEvent = pathsOf(documentedDelivery(deliveryOf(event)));
    const shown = pathsOf(documentedDelivery(await readDelivery(context.api, delivery.id)));
    const missing = shown.filter((path) => !inEvent.includes(path));
    expectThat("fields that are returned by GET and missing in the event", missing).isEmpty();
  },
});

/** The fields that courier actions don't change. Every event must have them. */
const ORDER_FIELDS = [
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

const isOfCourier = (path: string) => ["courier", "courier.name", "courier.phone"].includes(path);

const ofCourierActions = check({
  id: "envelope.data-on-the-way",
  title: "the data of events of courier actions is the full delivery, with all fields of the order",
  clauses: [clause["EVENT-40"]],
  needs: ["receiver", "courier", "pairing"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    // Links the shared store first, so that `anotherStore` is a different store.
    await context.store();
    const { external_store_id } = await context.anotherStore();
    const delivery = await createDelivery(context, {
      store: { external_store_id },
      notes: "Zili çalmayın",
      package_count: 2,
    });
    await context.performCourierActionsUpTo(delivery.id, "delivered");
    await waitForEvents(inbox, ["delivery.delivered"], delivery);
    await waitForSentinelEvent();
    const shown = pathsOf(documentedDelivery(await readDelivery(context.api, delivery.id)));
    const sent = ORDER_FIELDS.filter((path) => shown.includes(path));
    expectThat("the delivery returned by GET", sent).isNotEmpty();
    await context.each(arrivalsOf(inbox, isAbout(delivery)), (event) => {
      inbox.markAsEvidence(event);
      expectFullDelivery(event);
      const inEvent = pathsOf(documentedDelivery(deliveryOf(event)));
      // delivery.delivered has the same state as the response to GET.
      const expected = isOfKind("delivery.delivered")(event) ? [...sent, ...shown.filter(isOfCourier)] : sent;
      const missing = expected.filter((path) => !inEvent.includes(path));
      expectThat(`fields returned by GET and missing in ${kindOf(event)}`, missing).isEmpty();
    });
  },
});

const positionData = check({
  id: "envelope.position-data",
  title: "data of delivery.courier_location is the full delivery",
  clauses: [clause["EVENT-42"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox } = await context.subscribe({ event_types: [LOCATION_KIND] });
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "en_route");
    // Also reads the delivery before the position, because the service may add estimates after it has reported
    // the position.
    const before = pathsOf(documentedDelivery(await readDelivery(context.api, delivery.id)));
    await reportPosition(context, delivery.id, near(context.point, 3));
    await waitForPositions(inbox, delivery, 1);
    const event = eventsOf(inbox, delivery).find(isOfKind(LOCATION_KIND));
    if (!event) throw new Error("the inbox no longer has the delivery.courier_location event");
    expectFullDelivery(event);
    const inEvent = pathsOf(documentedDelivery(deliveryOf(event)));
    const shown = pathsOf(documentedDelivery(await readDelivery(context.api, delivery.id)));
    const expected = shown.filter((path) => before.includes(path) || isOfCourier(path));
    expectThat(
      "fields that are returned by GET and missing in the event",
      expected.filter((path) => !inEvent.includes(path)),
    ).isEmpty();
  },
});

const testData = check({
  id: "envelope.test-has-no-data",
  title: "data of webhook.test is null",
  clauses: [clause["EVENT-11"]],
  needs: ["receiver"],
  async run(context) {
    const { inbox, waitForSentinelEvent } = await context.subscribe();
    await waitForSentinelEvent();
    const tests = inbox.attempts.filter(isOfKind(TEST_KIND));
    for (const test of tests) expectThat("data of webhook.test", envelopeOf(test).data ?? null).is(null);
  },
});

export const envelopeDataChecks: readonly Check[] = [
  data,
  sameReference,
  fieldsOfARead,
  ofCourierActions,
  positionData,
  testData,
];
