import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { EventKind } from "../../../../reference-server/domain/model.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { isObject } from "../../../core/json.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { asLocalTime, withoutMembers } from "../operators/answers.ts";
import { alterEnvelope, alterEventData, type Data, withEnvelopes } from "../operators/envelopes.ts";
import { alterAttemptRequests } from "../operators/webhooks.ts";

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

const alterRequests = (
  change: (
    request: ReturnType<Dependencies["attemptRequests"]["request"]>,
  ) => Partial<ReturnType<Dependencies["attemptRequests"]["request"]>>,
): Mutate =>
  alterAttemptRequests(({ request }) => ({
    request: (...args) => ({ ...request(...args), ...change(request(...args)) }),
  }));

/**
 * A server that looks for the delivery of an event by its external_ref alone, so that it doesn't distinguish the
 * stores of an integrator.
 * @param pick which delivery it finds at a creation, given the one found before and the new one
 */
const withDataFoundByReference =
  (pick: (ids: { readonly known: unknown; readonly own: unknown }) => unknown): Mutate =>
  (deps) => {
    const found = new Map<unknown, unknown>();
    const latest = new Map<unknown, Data>();
    return alterEventData((data, { type }) => {
      const known = found.get(data.external_ref) ?? data.id;
      const id = type === "delivery.created" ? pick({ known, own: data.id }) : known;
      found.set(data.external_ref, id);
      latest.set(data.id, data);
      return latest.get(id) ?? data;
    })(deps);
  };

const DELIVERY_KINDS = [
  "delivery.created",
  "delivery.queued",
  "delivery.updated",
  "delivery.cancelled",
  "delivery.offered",
  ...elementsOf("courier-actions-until-delivery").map((action) => `delivery.${action}` as const),
  "delivery.failed",
  "delivery.returning",
  "delivery.returned",
  LOCATION_KIND,
] as const satisfies readonly EventKind[];

/** The clauses about each event type's data. */
const DATA_CLAUSES = {
  "delivery.created": ["EVENT-8"],
  "delivery.queued": ["EVENT-8"],
  "delivery.updated": ["EVENT-8"],
  "delivery.cancelled": ["EVENT-8"],
  "delivery.offered": ["EVENT-40"],
  "delivery.assigned": ["EVENT-40"],
  "delivery.at_pickup": ["EVENT-40"],
  "delivery.picked_up": ["EVENT-40"],
  "delivery.en_route": ["EVENT-40"],
  "delivery.arrived": ["EVENT-40"],
  "delivery.delivered": ["EVENT-40"],
  "delivery.failed": ["EVENT-43"],
  "delivery.returning": ["EVENT-44"],
  "delivery.returned": ["EVENT-44"],
  "delivery.courier_location": ["EVENT-42"],
} as const;

export const envelopeMutants: Mutants = {
  "position-without-the-delivery": {
    fault: "delivery.courier_location contains only the courier and the delivery's identifiers",
    breaks: [{ clause: "EVENT-42" }],
    mutate: alterEventData((data, { type }) =>
      type === "delivery.courier_location"
        ? { id: data.id, external_ref: data.external_ref, courier: data.courier }
        : data,
    ),
  },
  ...forEachElement(
    DELIVERY_KINDS,
    (kind) => `${kind}-without-its-last-change`,
    (kind) => ({
      fault: `the data of ${kind} lacks updated_at`,
      breaks: breaking(kind, ...DATA_CLAUSES[kind]),
      ...(DATA_CLAUSES[kind].some((id) => id === "EVENT-40") && { caughtBy: ["envelope.data-on-the-way"] }),
      mutate: alterEventData((data, { type }) => (type === kind ? withoutMembers(data, "updated_at") : data)),
    }),
  ),
  "event-sent-with-put": {
    fault: "events are sent with PUT",
    breaks: [{ clause: "EVENT-1" }],
    mutate: alterRequests(() => ({ method: "PUT" })),
  },
  "event-body-is-a-batch": {
    fault: "an event's body is an array",
    breaks: [{ clause: "EVENT-2" }],
    mutate: withEnvelopes(({ encode }) => ({ encode: (envelope) => `[${encode(envelope)}]` })),
  },
  "event-begins-with-a-byte-order-mark": {
    fault: "an event's body begins with a byte order mark",
    breaks: [{ clause: "EVENT-2" }],
    mutate: withEnvelopes(({ encode }) => ({ encode: (envelope) => `\ufeff${encode(envelope)}` })),
  },
  "event-has-a-duplicate-type-field": {
    fault: "an event's body has the field type twice",
    breaks: [{ clause: "EVENT-49" }],
    mutate: withEnvelopes(({ encode }) => ({
      encode: (envelope) => encode(envelope).replace("{", `{"type":"${envelope.type}",`),
    })),
  },
  "event-body-is-a-form": {
    fault: "an event's body is a form with the JSON in a field",
    breaks: [{ clause: "EVENT-2" }],
    mutate: withEnvelopes(({ encode }) => ({
      encode: (envelope) => String(new URLSearchParams({ payload: encode(envelope) })),
    })),
  },
  "envelope-id-with-prefix": {
    fault: "the envelope's id is a UUID with a prefix",
    breaks: [{ clause: "EVENT-5" }],
    mutate: alterEnvelope(({ id }) => ({ id: `evt_${id}` })),
  },
  "event-type-without-prefix": {
    fault: "the envelope's type lacks `delivery.`",
    breaks: [{ clause: "EVENT-6" }],
    mutate: alterEnvelope(({ type }) => ({ type: type.replace("delivery.", "") })),
  },
  "event-type-is-the-status": {
    fault: "the envelope's type is the delivery's status",
    breaks: [{ clause: "EVENT-6" }],
    mutate: alterEnvelope(({ type, data }) => ({ type: data && "status" in data ? data.status : type })),
  },
  "envelope-time-with-offset": {
    fault: "the envelope's timestamp is in local time with an offset",
    breaks: [{ clause: "EVENT-7" }],
    mutate: alterEnvelope((_, at) => ({
      timestamp: new Date(at + 3 * 3_600_000).toISOString().replace("Z", "+03:00"),
    })),
  },
  "envelope-time-in-unix-seconds": {
    fault: "the envelope's timestamp is in Unix seconds",
    breaks: [{ clause: "EVENT-7" }],
    mutate: alterEnvelope((_, at) => ({ timestamp: Math.floor(at / 1000) })),
  },
  "envelope-time-is-local": {
    fault: "the envelope's timestamp is local time marked as UTC (Z)",
    breaks: [{ clause: "EVENT-7" }],
    mutate: alterEnvelope(({ timestamp }) => ({ timestamp: asLocalTime(timestamp) })),
  },
  "envelope-time-is-the-creation": {
    fault: "the envelope's timestamp is the creation time of the delivery",
    breaks: [{ clause: "EVENT-53" }],
    mutate: alterEnvelope(({ data, timestamp }) => ({
      timestamp: isObject(data) ? data.created_at : timestamp,
    })),
  },
  "event-data-is-a-summary": {
    fault: "data contains only id, external_ref, status and version",
    breaks: [{ clause: "EVENT-8" }],
    mutate: alterEventData(({ id, external_ref, status, version }) => ({
      id,
      external_ref,
      status,
      version,
    })),
  },
  "event-data-has-text-for-numbers": {
    fault: "package_count is a string in events",
    breaks: [{ clause: "EVENT-8" }],
    mutate: alterEventData((data) => ({ ...data, package_count: String(data.package_count) })),
  },
  "event-data-of-the-previous-event": {
    fault: "delivery.created contains the previously created delivery",
    breaks: [{ clause: "EVENT-9" }],
    caughtBy: ["envelope.data-is-the-delivery"],
    mutate: (deps) => {
      let latest: Data | undefined;
      return alterEventData((data, { type }) => {
        if (type !== "delivery.created") return data;
        const previous = latest ?? data;
        latest = data;
        return previous;
      })(deps);
    },
  },
  "event-data-found-by-reference": {
    fault: "an event contains the integrator's first delivery with the external_ref",
    breaks: [{ clause: "EVENT-9", case: "the second store's" }],
    caughtBy: ["envelope.data-of-the-same-reference"],
    mutate: withDataFoundByReference(({ known }) => known),
  },
  "event-data-of-the-latest-with-the-reference": {
    fault: "an event contains the integrator's latest delivery with the external_ref",
    breaks: [{ clause: "EVENT-9", case: "the first store's" }],
    caughtBy: ["envelope.data-of-the-same-reference"],
    mutate: withDataFoundByReference(({ own }) => own),
  },
  "event-data-without-address": {
    fault: "events lack the address",
    breaks: [{ clause: "EVENT-10" }],
    mutate: alterEventData(({ dropoff, ...data }) => ({
      ...data,
      dropoff: { ...Object(dropoff), text: undefined },
    })),
  },
  "event-data-without-tracking": {
    fault: "events lack tracking_url",
    breaks: [{ clause: "EVENT-10" }],
    mutate: alterEventData(({ tracking_url, ...data }) => data),
  },
  "event-data-without-items-on-the-way": {
    fault: "events lack the items once a courier is assigned",
    breaks: breaking(
      [
        "delivery.assigned",
        "delivery.at_pickup",
        "delivery.picked_up",
        "delivery.en_route",
        "delivery.arrived",
        "delivery.delivered",
      ],
      "EVENT-40",
    ),
    caughtBy: ["envelope.data-on-the-way"],
    mutate: alterEventData(({ items, courier, ...data }) => ({
      ...data,
      courier,
      ...(courier === null && { items }),
    })),
  },
  "delivered-event-has-no-courier": {
    fault: "delivery.delivered has no courier",
    breaks: [{ clause: "EVENT-40", case: "delivery.delivered" }],
    caughtBy: ["envelope.data-on-the-way"],
    mutate: alterEventData((data, { type }) =>
      type === "delivery.delivered" ? { ...data, courier: null } : data,
    ),
  },
  "courier-events-of-the-first-store-only": {
    fault: "courier events are sent only for the store that the integrator linked first",
    breaks: [{ clause: "EVENT-40" }],
    caughtBy: ["envelope.data-on-the-way"],
    mutate: (deps) => ({
      ...deps,
      async emit(current, tx, delivery, kind) {
        const [first] = await current.records.stores.list(tx, delivery.integrator_id);
        const isReported = first?.id === delivery.store_id || delivery.assigned_at === null;
        if (isReported) await deps.emit(current, tx, delivery, kind);
      },
    }),
  },
  "event-phone-is-national": {
    fault: "the customer's phone number is in national form in events",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: alterEventData((data) => {
      const customer = Object(data.customer);
      return { ...data, customer: { ...customer, phone: String(customer.phone).replace("+90", "0") } };
    }),
  },
  "event-status-differs-from-get": {
    fault: "a cancelled delivery's status is CANCELED in events",
    breaks: [{ clause: "EVENT-41" }],
    caughtBy: ["envelope.values-equal-get"],
    mutate: alterEventData((data) => ({
      ...data,
      status: String(data.status).replace("CANCELLED", "CANCELED"),
    })),
  },
  "test-event-carries-an-object": {
    fault: "data of webhook.test is an empty object instead of null",
    breaks: [{ clause: "EVENT-11" }],
    mutate: alterEnvelope(({ type, data }) => ({ data: type === "webhook.test" ? {} : data })),
  },
  "event-version-is-ahead": {
    fault: "data.version in events is one too high",
    breaks: [{ clause: "VER-5", case: "delivery.cancelled" }],
    mutate: alterEventData((data) => ({ ...data, version: numberOf(data.version) + 1 })),
  },
  "event-version-is-the-first": {
    fault: "data.version in events is always 1",
    breaks: [{ clause: "VER-5" }],
    mutate: alterEventData((data) => ({ ...data, version: 1 })),
  },
  "event-version-counts-all-events": {
    fault: "data.version counts the events of the whole service",
    breaks: [{ clause: "VER-5" }],
    mutate: (deps) => {
      let events = 100;
      return alterEventData((data) => {
        events += 1;
        return { ...data, version: events };
      })(deps);
    },
  },
};
