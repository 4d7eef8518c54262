import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { EventKind } from "../../../core/contract/event-kinds.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { numberOf, textOf } from "../../../core/json.ts";
import { isSame } from "../../../core/text/differences.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import { documentedDelivery } from "../../session/http/documented.ts";
import { mobileNumber, personName, streetAddress } from "../../session/sample-data/sample-data.ts";
import { deliveryOf, firstAttempts, isOfKind, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox, Responder } from "../../session/webhook-receiver/inbox.ts";
import { expectFields } from "../../support/assertions.ts";
import {
  COURIER,
  expectCourier,
  FAILURE_REASON,
  failDelivery,
  startReturn,
} from "../../support/courier/courier.ts";
import { containsTrackingKey, findTrackingKey, leadToSameData } from "../../support/courier/tracking.ts";
import {
  cancelDelivery,
  changeDelivery,
  createDelivery,
  isStableField,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { inIstanbul, near } from "../../support/orders/orders.ts";
import { prepaidPayment } from "../../support/orders/prepaid.ts";
import { eventsOf, expectFullDelivery, waitForEvent } from "../../support/webhooks/delivery-events.ts";
import { GONE, SUCCESS } from "../../support/webhooks/responses.ts";
import { expectAllClosedByGone, expectClosedByGone } from "../../support/webhooks/subscriptions.ts";

type Delivery = Schemas["Delivery"];

/** Enough items to detect a server that cuts long lists, and fewer than the maximum (200). */
const ITEM_COUNT = 120;

const HOUR_MS = 3_600_000;

/**
 * The courier's fields except the position, because the position may change without a new version (OPEN-203).
 */
const COURIER_IDENTITY = ["name", "phone", "phone_masked", "plate"];

const isWebhookOnly = (key: string) => key === "loss" || key === "collected_parts";

const pick = (value: unknown, isPicked: (key: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(Object(value)).filter(([key]) => isPicked(key)));

/** The members that change only with the version: all except estimates and the courier's position. */
function versionedFields(delivery: unknown): Record<string, unknown> {
  const shown = documentedDelivery(delivery);
  return {
    ...pick(shown, (key) => (isStableField(key) && !isWebhookOnly(key)) || key === "status"),
    payment: pick(shown.payment, (key) => !isWebhookOnly(key)),
    courier: pick(shown.courier, (key) => COURIER_IDENTITY.includes(key)),
  };
}

async function readAfterEvent(
  { api }: Pick<BaseContext, "api">,
  inbox: Inbox,
  kind: EventKind,
  delivery: Pick<Delivery, "id">,
): Promise<Delivery> {
  await waitForEvent(inbox, kind, delivery);
  return readDelivery(api, delivery.id);
}

/** The members in which the event differs from GET, if all of them are as they were before the change. */
function staleText(
  inEvent: Readonly<Record<string, unknown>>,
  shown: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const different = Object.keys(shown).filter((name) => !isSame(inEvent[name], shown[name]));
  const isStale = different.length > 0 && different.every((name) => isSame(inEvent[name], before[name]));
  return isStale ? `the event has the ${different.join(", ")} from before the change` : undefined;
}

/**
 * Asserts that each event contains the full delivery, equal to a response of the same version. An event of a
 * version that GET didn't return is skipped, because its data may be the delivery's state at the event's time or
 * later (OPEN-188).
 * @throws CheckSkipped if no version was both in an event and in a response
 */
function expectEventsToEqualReadings(inbox: Inbox, readings: readonly Delivery[]): void {
  const ids = new Set(readings.map(({ id }) => id));
  const events = firstAttempts(inbox.attempts).filter((event) => ids.has(textOf(deliveryOf(event)?.id)));
  for (const event of events) expectFullDelivery(event);
  const pairs = events.flatMap((event) => {
    const inEvent = deliveryOf(event);
    const reading = readings.find(
      ({ id, version }) => inEvent?.id === id && numberOf(inEvent.version) === version,
    );
    return reading === undefined ? [] : [{ event, reading }];
  });
  if (pairs.length === 0) throw new CheckSkipped("no event had a version that GET returned");
  for (const { event, reading } of pairs) {
    inbox.markAsEvidence(event);
    const inEvent = versionedFields(deliveryOf(event));
    const shown = versionedFields(reading);
    const before = readings.findLast(({ id, version }) => id === reading.id && version < reading.version);
    const difference =
      staleText(inEvent, shown, before && versionedFields(before)) ??
      `GET returned version ${reading.version} too: one of them is wrong, or the version should have increased between them`;
    expectFields(inEvent, shown, `the data of ${kindOf(event)}`, difference);
    expectFields(
      shown,
      inEvent,
      `the delivery that GET returned at the version in ${kindOf(event)}`,
      difference,
    );
  }
}

/**
 * Asserts that the tracking_url in each event of a delivery leads to the same data as the tracking_url that GET
 * returned at last. Requests the data only if they differ.
 */
async function expectTrackingUrls(
  { anonymous }: Pick<BaseContext, "anonymous">,
  inbox: Inbox,
  delivery: Delivery,
): Promise<void> {
  const urls = new Map(
    eventsOf(inbox, delivery).map((event) => [textOf(deliveryOf(event)?.tracking_url), event]),
  );
  for (const [url, event] of urls) {
    inbox.markAsEvidence(event);
    expectThat({ field: "tracking_url", where: `in ${kindOf(event)}` }, url).satisfies(
      `a URL that leads to the same tracking data as ${delivery.tracking_url}`,
      await leadToSameData(anonymous, url, textOf(delivery.tracking_url)),
    );
  }
}

/** Accepts all events except those of this type, which get 410. */
const goneTo =
  (kind: EventKind): Responder =>
  (attempt) =>
    isOfKind(kind)(attempt) ? GONE : SUCCESS;

const integratorEvents = check({
  id: "envelope.values-equal-get",
  title: "the events that an integrator's requests cause contain the same delivery as GET",
  clauses: [clause["EVENT-41"]],
  needs: ["receiver"],
  async run(context) {
    const { api, now, point } = context;
    const { payment: onDelivery } = await context.order();
    // A target that accepts no prepaid order is another check's finding.
    const payment = (await prepaidPayment(context)) ?? onDelivery;
    const { inbox } = await context.subscribe();
    const items = Array.from({ length: ITEM_COUNT }, (_, i) => ({
      name: `Lahmacun ${i + 1}`,
      quantity: 1,
      total: 1,
    }));
    const directions = "3. kat, daire 5";
    const parts = { neighborhood: "Hobyar", district: "Fatih", city: "İstanbul" };
    const place = { text: streetAddress(), ...near(point), ...parts, directions };
    const delivery = await createDelivery(context, {
      require_pin: true,
      items,
      dropoff: place,
      customer: { name: personName(), phone: mobileNumber(), note: "Alerjisi var" },
      package_count: 3,
      payment: { ...payment, subtotal: payment.amount_due + 89.9, discount: 89.9 },
      // With an offset, because a response shows these times in UTC.
      ready_at: inIstanbul(now() + HOUR_MS),
      scheduled_for: inIstanbul(now() + 24 * HOUR_MS),
    });
    const readings = [await readAfterEvent(context, inbox, "delivery.created", delivery)];
    const dropoff = { text: "Gülşen Sokak 9, Fatih, İstanbul", ...near(point, 2), directions };
    const customer = { name: personName(), phone: mobileNumber(), phone_extension: "1453" };
    const ready_at = inIstanbul(now() + 2 * HOUR_MS);
    await changeDelivery(api, delivery.id, { dropoff, notes: "Zile basmayın", customer, ready_at });
    readings.push(await readAfterEvent(context, inbox, "delivery.updated", delivery));
    // Nothing is collected for the prepaid order.
    const other = await createDelivery(context, { payment: { ...onDelivery, amount_due: 44.9 } });
    readings.push(await readAfterEvent(context, inbox, "delivery.created", other));
    const end = await cancelDelivery(api, delivery.id, "Müşteri vazgeçti");
    const event = await waitForEvent(inbox, "delivery.cancelled", delivery);
    expectEventsToEqualReadings(inbox, [...readings, end]);
    // A cancelled delivery doesn't change any more, so even an event of another version must equal it.
    expectFields(versionedFields(deliveryOf(event)), versionedFields(end), "the data of delivery.cancelled");
    await expectTrackingUrls(context, inbox, end);
  },
});

const courierEvents = check({
  id: "envelope.values-on-the-way",
  title:
    "the event of each courier action contains the same delivery as GET, and 410 to delivery.delivered closes the endpoint",
  clauses: [clause["EVENT-40"], clause["RETRY-34"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { id: endpointId, inbox } = await context.subscribe({ responder: goneTo("delivery.delivered") });
    context.attributeTo(clause["EVENT-40"]);
    const ready_at = isoInstant(context.now() + HOUR_MS);
    const delivery = await createDelivery(context, { require_pin: true, ready_at });
    const collected_type = String(await context.paymentType());
    await context.performCourierActionsUpTo(delivery.id, "assigned", { courier: COURIER });
    const readings = [await readAfterEvent(context, inbox, "delivery.assigned", delivery)];
    for (const action of ["at_pickup", "picked_up", "en_route", "arrived", "delivered"] as const) {
      const details = action === "delivered" ? { collected_type } : {};
      if (!(await context.performCourierAction(delivery.id, action, details)))
        throw new CheckSkipped(`the control interface refused the courier action ${action}`);
      readings.push(await readAfterEvent(context, inbox, `delivery.${action}`, delivery));
    }
    expectEventsToEqualReadings(inbox, readings);
    await expectTrackingUrls(context, inbox, readings.at(-1) ?? delivery);
    context.attributeTo(clause["RETRY-34"]);
    await expectClosedByGone(context.api, endpointId, "delivery.delivered");
  },
});

const cancellationEvent = check({
  id: "envelope.values-of-a-cancellation",
  title: "delivery.cancelled of a delivery that has a courier contains the same delivery as GET",
  clauses: [clause["EVENT-54"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { inbox } = await context.subscribe();
    const { id } = await createDelivery(context, { require_pin: true, notes: "Zili çalmayın" });
    await context.performCourierActionsUpTo(id, "assigned", { courier: COURIER });
    expectCourier(await readDelivery(context.api, id));
    const end = await cancelDelivery(context.api, id, "Müşteri vazgeçti");
    const event = await waitForEvent(inbox, "delivery.cancelled", end);
    inbox.markAsEvidence(event);
    expectFullDelivery(event);
    // Whether a cancelled delivery keeps its courier is unspecified (OPEN-35).
    const { courier: _inEvent, ...inEvent } = versionedFields(deliveryOf(event));
    const { courier: _shown, ...shown } = versionedFields(end);
    expectFields(inEvent, shown, "the data of delivery.cancelled");
    await expectTrackingUrls(context, inbox, end);
  },
});

const failureEvent = check({
  id: "envelope.values-of-a-failure",
  title:
    "delivery.failed contains the same delivery as GET, with the failure reason, and 410 to it closes the endpoint",
  clauses: [clause["EVENT-43"], clause["RETRY-35"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { id, inbox } = await context.subscribe({ responder: goneTo("delivery.failed") });
    const delivery = await createDelivery(context);
    await failDelivery(context, delivery.id, FAILURE_REASON);
    context.attributeTo(clause["EVENT-43"]);
    const failed = await readAfterEvent(context, inbox, "delivery.failed", delivery);
    expectEventsToEqualReadings(inbox, [failed]);
    await expectTrackingUrls(context, inbox, failed);
    context.attributeTo(clause["RETRY-35"]);
    await expectClosedByGone(context.api, id, "delivery.failed");
  },
});

const returnEvents = check({
  id: "envelope.values-of-a-return",
  title:
    "delivery.returning and delivery.returned contain the same delivery as GET, and 410 to either closes the endpoint",
  clauses: [clause["EVENT-44"], clause["RETRY-36"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const { id, inbox } = await context.subscribe({ responder: goneTo("delivery.returned") });
    const onTheWayBackOnly = await context.subscribe({
      event_types: ["delivery.returning"],
      responder: () => GONE,
    });
    const delivery = await createDelivery(context);
    context.attributeTo(clause["EVENT-44"]);
    await startReturn(context, delivery.id, FAILURE_REASON);
    const onTheWayBack = await readAfterEvent(context, inbox, "delivery.returning", delivery);
    if (!(await context.performCourierAction(delivery.id, "returned", { reason: FAILURE_REASON })))
      throw new CheckSkipped("the control interface refused the courier action `returned` after `returning`");
    const returned = await readAfterEvent(context, inbox, "delivery.returned", delivery);
    expectEventsToEqualReadings(inbox, [onTheWayBack, returned]);
    await expectTrackingUrls(context, inbox, returned);
    context.attributeTo(clause["RETRY-36"]);
    await waitForEvent(onTheWayBackOnly.inbox, "delivery.returning", delivery);
    await expectAllClosedByGone(context.api, [
      ["delivery.returning", onTheWayBackOnly],
      ["delivery.returned", { id }],
    ]);
  },
});

const tracking = check({
  id: "envelope.tracking-url",
  title: "the tracking_url in an event works if the tracking_url returned by GET works",
  clauses: [clause["EVENT-41"]],
  needs: ["receiver"],
  async run(context) {
    const { anonymous, api } = context;
    const { inbox } = await context.subscribe();
    const delivery = await createDelivery(context);
    const event = await waitForEvent(inbox, "delivery.created", delivery);
    await findTrackingKey(anonymous, await readDelivery(api, delivery.id));
    // The keys in event and response aren't compared, because a server may create a new key for each response.
    const inEvent = textOf(deliveryOf(event)?.tracking_url);
    expectThat({ field: "tracking_url", where: "in delivery.created" }, inEvent).satisfies(
      "a URL with a key that returns tracking data",
      await containsTrackingKey(anonymous, inEvent),
    );
  },
});

export const envelopeValuesChecks: readonly Check[] = [
  integratorEvents,
  tracking,
  courierEvents,
  cancellationEvent,
  failureEvent,
  returnEvents,
];
