import type { DeliveryEventKind } from "../../../../reference-server/domain/model.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { alterEventData, type Data } from "../operators/envelopes.ts";
import { alterCreation } from "../operators/operations.ts";

/** A server that builds the events of this type before the change is complete. */
const beforeChange = (kind: DeliveryEventKind, change: (data: Data) => Data): Mutate =>
  alterEventData((data, { type }) => (type === kind ? { ...data, ...change(data) } : data));

const beforeFields = (kind: DeliveryEventKind, ...fields: readonly string[]): Mutate =>
  beforeChange(kind, () => Object.fromEntries(fields.map((field) => [field, null])));

/** A server whose events of this type show these fields as the delivery's event before did. */
const ofEventBefore =
  (kind: DeliveryEventKind, ...fields: readonly string[]): Mutate =>
  (deps) => {
    const earlier = new Map<unknown, Data>();
    return alterEventData((data, { type }) => {
      const before = earlier.get(data.id) ?? data;
      earlier.set(data.id, data);
      return type === kind
        ? { ...data, ...Object.fromEntries(fields.map((field) => [field, before[field]])) }
        : data;
    })(deps);
  };

/** A server whose events of this type show other values if the delivery has a courier. */
const withACourier = (kind: DeliveryEventKind, change: Data): Mutate =>
  beforeChange(kind, ({ courier }) => (courier === null ? {} : change));

/** A server whose events show the times of an order in the notation of the request. */
const withTimesAsSent: Mutate = (deps) => {
  const sentTimes = new Map<unknown, Data>();
  return compose(
    alterCreation((call, create) => {
      const { external_ref, ready_at, scheduled_for } = call.body;
      const times = { ...(ready_at && { ready_at }), ...(scheduled_for && { scheduled_for }) };
      sentTimes.set(external_ref, times);
      return create(call);
    }),
    alterEventData((data) => ({ ...data, ...sentTimes.get(data.external_ref) })),
  )(deps);
};

/** A server that loses members of an object in events. */
const withoutInEvents = (parent: string, ...members: readonly string[]): Mutate =>
  alterEventData((data) => ({
    ...data,
    [parent]: { ...Object(data[parent]), ...Object.fromEntries(members.map((member) => [member, null])) },
  }));

/** A server whose events of this type show the tracking_url of the last other delivery. */
const withAnotherTrackingUrl =
  (kind: DeliveryEventKind): Mutate =>
  (deps) => {
    const urls = new Map<unknown, unknown>();
    return alterEventData((data, { type }) => {
      if (type === "delivery.created") urls.set(data.id, data.tracking_url);
      const others = [...urls].filter(([id]) => id !== data.id).map(([, url]) => url);
      return type === kind ? { ...data, tracking_url: others.at(-1) ?? data.tracking_url } : data;
    })(deps);
  };

/** The directions at the end of the check's address, which begin with the floor. */
const DIRECTIONS = /, \d+\. kat.*$/;

export const envelopeValuesMutants: Mutants = {
  "event-has-at-most-100-items": {
    fault: "an event contains at most 100 items of an order",
    breaks: breaking("items", "EVENT-48"),
    mutate: alterEventData((data) => ({
      ...data,
      items: Array.isArray(data.items) ? data.items.slice(0, 100) : data.items,
    })),
  },
  "event-cuts-notes-at-255": {
    fault: "notes are cut at 255 characters in events",
    breaks: breaking("notes", "EVENT-48"),
    mutate: alterEventData((data) => ({
      ...data,
      notes: typeof data.notes === "string" ? data.notes.slice(0, 255) : null,
    })),
  },
  "event-cuts-the-address-at-255": {
    fault: "dropoff.text is cut at 255 characters in events",
    breaks: [{ clause: "EVENT-48" }],
    mutate: alterEventData((data) => {
      const dropoff = Object(data.dropoff);
      return { ...data, dropoff: { ...dropoff, text: String(dropoff.text).slice(0, 255) } };
    }),
  },
  "event-rounds-quantities": {
    fault: "quantities in events are rounded to two decimals",
    breaks: breaking("quantity", "EVENT-48"),
    mutate: alterEventData((data) => ({
      ...data,
      items: [data.items].flat().map((item) => {
        const { quantity } = Object(item);
        return { ...Object(item), quantity: Math.round(quantity * 100) / 100 };
      }),
    })),
  },
  "updated-event-without-new-distance-and-fee": {
    fault: "delivery.updated for a new address lacks the new distance and fee",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: beforeFields("delivery.updated", "distance_m", "road_km", "fee"),
  },
  "updated-event-with-the-distance-before-the-change": {
    fault: "delivery.updated for a new address has the distance and fee of the old one",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: ofEventBefore("delivery.updated", "distance_m", "road_km", "fee"),
  },
  "created-event-without-the-pin": {
    fault: "delivery.created lacks delivery_pin",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: beforeFields("delivery.created", "delivery_pin"),
  },
  "event-has-fifty-items": {
    fault: "events contain only the first items of a large order",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: alterEventData((data) => ({ ...data, items: [data.items].flat().slice(0, 50) })),
  },
  "event-address-without-directions": {
    fault: "the address in events lacks the directions",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: alterEventData((data) => {
      const dropoff = Object(data.dropoff);
      return { ...data, dropoff: { ...dropoff, text: String(dropoff.text).replace(DIRECTIONS, "") } };
    }),
  },
  "event-times-with-the-sent-offset": {
    fault: "events show ready_at and scheduled_for with the offset that the order was sent with",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: withTimesAsSent,
  },
  "event-has-the-first-customer": {
    fault: "events show the customer that the order was sent with, also after a change",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: (deps) => {
      const customers = new Map<unknown, unknown>();
      return alterEventData(({ customer, ...data }) => {
        if (!customers.has(data.id)) customers.set(data.id, customer);
        return { ...data, customer: customers.get(data.id) };
      })(deps);
    },
  },
  "event-rounds-the-amount": {
    fault: "amount_due is rounded to whole units in events",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: alterEventData((data) => {
      const payment = Object(data.payment);
      return { ...data, payment: { ...payment, amount_due: Math.round(payment.amount_due) } };
    }),
  },
  "event-of-a-prepaid-order-is-payable": {
    fault: "prepaid is false in all events",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: alterEventData((data) => ({ ...data, prepaid: false })),
  },
  "event-of-a-test-is-real": {
    fault: "test is false in all events",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["emission.test-delivery"],
    mutate: alterEventData((data) => ({ ...data, test: false })),
  },
  "event-without-the-discount": {
    fault: "events lack payment.subtotal and payment.discount",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: withoutInEvents("payment", "subtotal", "discount"),
  },
  "event-without-the-district": {
    fault: "events lack neighborhood, district and city",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: withoutInEvents("dropoff", "neighborhood", "district", "city"),
  },
  "event-tracking-url-leads-nowhere": {
    fault: "tracking_url has an additional character in events",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.tracking-url"],
    mutate: alterEventData((data) => ({ ...data, tracking_url: `${data.tracking_url}w` })),
  },
  "event-tracking-url-of-a-courier-leads-nowhere": {
    fault: "tracking_url has an additional character in events once a courier is assigned",
    breaks: [{ clause: "EVENT-40" }, { clause: "EVENT-43" }, { clause: "EVENT-44" }, { clause: "EVENT-54" }],
    caughtBy: [
      "envelope.values-of-a-cancellation",
      "envelope.values-of-a-failure",
      "envelope.values-of-a-return",
      "envelope.values-on-the-way",
    ],
    mutate: alterEventData((data) =>
      data.courier === null ? data : { ...data, tracking_url: `${data.tracking_url}w` },
    ),
  },
  ...forEachElement(
    ["delivered", "cancelled"],
    (change) => `${change}-event-shows-another-tracking-url`,
    (change) => ({
      fault: `the tracking_url in delivery.${change} is that of the last other delivery`,
      breaks: [{ clause: change === "delivered" ? "EVENT-40" : "EVENT-41" }],
      caughtBy: [change === "delivered" ? "envelope.values-on-the-way" : "envelope.values-equal-get"],
      mutate: withAnotherTrackingUrl(`delivery.${change}`),
    }),
  ),
  "cancelled-event-without-cancelled-at": {
    fault: "delivery.cancelled has no cancelled_at yet",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: beforeFields("delivery.cancelled", "cancelled_at"),
  },
  "cancelled-event-without-reason": {
    fault: "delivery.cancelled has no cancel_reason yet",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: beforeFields("delivery.cancelled", "cancel_reason"),
  },
  "cancelled-event-with-a-courier-without-reason": {
    fault: "delivery.cancelled of a delivery that has a courier has no cancel_reason",
    breaks: [{ clause: "EVENT-54" }],
    mutate: withACourier("delivery.cancelled", { cancel_reason: null }),
  },
  "cancelled-event-with-a-courier-without-time": {
    fault: "delivery.cancelled of a delivery that has a courier has no cancelled_at",
    breaks: [{ clause: "EVENT-54" }],
    mutate: withACourier("delivery.cancelled", { cancelled_at: null }),
  },
  "event-hides-the-pin-once-a-courier-is-assigned": {
    fault: "the events of courier actions have no delivery_pin, and pin_required is false",
    breaks: [{ clause: "EVENT-40" }, { clause: "EVENT-54" }],
    caughtBy: ["envelope.values-of-a-cancellation", "envelope.values-on-the-way"],
    mutate: alterEventData((data) =>
      data.courier === null ? data : { ...data, delivery_pin: null, pin_required: false },
    ),
  },
  "assigned-event-without-assigned-at": {
    fault: "delivery.assigned has no assigned_at yet",
    breaks: [{ clause: "EVENT-40" }],
    caughtBy: ["envelope.values-on-the-way"],
    mutate: beforeFields("delivery.assigned", "assigned_at"),
  },
  "assigned-event-without-courier": {
    fault: "delivery.assigned has no courier yet",
    breaks: [{ clause: "EVENT-40" }],
    caughtBy: ["envelope.values-on-the-way"],
    mutate: beforeFields("delivery.assigned", "courier"),
  },
  "picked-up-event-without-picked-up-at": {
    fault: "delivery.picked_up has no picked_up_at yet",
    breaks: [{ clause: "EVENT-40" }],
    caughtBy: ["envelope.values-on-the-way"],
    mutate: beforeFields("delivery.picked_up", "picked_up_at"),
  },
  "delivered-event-without-delivered-at": {
    fault: "delivery.delivered has no delivered_at yet",
    breaks: [{ clause: "EVENT-40" }],
    caughtBy: ["envelope.values-on-the-way"],
    mutate: beforeFields("delivery.delivered", "delivered_at"),
  },
  "delivered-event-without-collected-type": {
    fault: "delivery.delivered lacks collected_type",
    breaks: [{ clause: "EVENT-40" }],
    caughtBy: ["envelope.values-on-the-way"],
    mutate: beforeChange("delivery.delivered", ({ payment }) => ({
      payment: { ...Object(payment), collected_type: null },
    })),
  },
  "failed-event-without-reason": {
    fault: "delivery.failed has no failure_reason yet",
    breaks: [{ clause: "EVENT-43" }],
    mutate: beforeFields("delivery.failed", "failure_reason"),
  },
  "returning-event-without-reason": {
    fault: "delivery.returning has no failure_reason yet",
    breaks: [{ clause: "EVENT-44" }],
    mutate: beforeFields("delivery.returning", "failure_reason"),
  },
  "returned-event-without-returned-at": {
    fault: "delivery.returned has no returned_at yet",
    breaks: [{ clause: "EVENT-44" }],
    mutate: beforeFields("delivery.returned", "returned_at"),
  },
  "at-pickup-event-with-the-previous-status": {
    fault: "delivery.at_pickup has the previous status",
    breaks: [{ clause: "EVENT-40" }],
    caughtBy: ["envelope.values-on-the-way"],
    mutate: beforeChange("delivery.at_pickup", () => ({ status: "ASSIGNED" })),
  },
};
