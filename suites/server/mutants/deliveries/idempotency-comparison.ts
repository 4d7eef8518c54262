import type { Schemas } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutate } from "../mutant.ts";

/** A server that compares only parts of orders. */
const ordersCompared =
  (what: (body: Schemas["NewDelivery"]) => unknown): Mutate =>
  (deps) => ({
    ...deps,
    operations: {
      ...deps.operations,
      createDelivery: (call) =>
        deps.operations.createDelivery({
          ...call,
          deps: {
            ...call.deps,
            idempotency: {
              ...call.deps.idempotency,
              fingerprint: () => call.deps.idempotency.fingerprint(what(call.body)),
            },
          },
        }),
    },
  });

export const idempotencyComparisonMutants = {
  "idempotency-ignores-body": {
    fault: "a key that is used again is a repeat, whatever the body",
    breaks: [{ clause: "IDEM-11" }, { clause: "ERR-17" }],
    mutate: (deps) => ({ ...deps, idempotency: { ...deps.idempotency, fingerprint: () => "" } }),
  },
  "idempotency-compares-the-reference": {
    fault: "bodies with one external_ref are the same",
    breaks: [{ clause: "IDEM-11" }],
    mutate: ordersCompared(({ external_ref }) => external_ref),
  },
  "idempotency-compares-top-level-fields": {
    fault: "what lies within items and payment doesn't make another body",
    breaks: breaking(
      [
        "payment.amount_due",
        "items[].name",
        "items[].quantity",
        "items[].code",
        "the second item's name",
        "the second item's quantity",
        "the last item's name",
        "the last item's quantity",
        "the last item's code",
        "one item more",
        "without the last item",
        "the items in another order",
        "payment.prepaid",
        "payment.subtotal",
        "payment.discount",
        "items[].total",
        "payment.type",
      ],
      "IDEM-11",
    ),
    mutate: ordersCompared(({ items, payment, ...surface }) => surface),
  },
  "idempotency-ignores-directions": {
    fault: "other directions to one address don't make another body",
    breaks: [{ clause: "IDEM-11", case: "dropoff.directions" }],
    mutate: ordersCompared(({ dropoff: { directions, ...place }, ...rest }) => ({ ...rest, ...place })),
  },
  "idempotency-ignores-the-customer": {
    fault: "another customer doesn't make another body",
    breaks: breaking(
      [
        "customer.name",
        "customer.phone",
        "customer.phone_extension",
        "customer.note",
        "without customer.note",
      ],
      "IDEM-11",
    ),
    mutate: ordersCompared(({ customer, ...rest }) => rest),
  },
  "idempotency-ignores-the-pin": {
    fault: "asking for a PIN doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "require_pin" }],
    mutate: ordersCompared(({ require_pin, ...rest }) => rest),
  },
  "idempotency-ignores-times": {
    fault: "other times don't make another body",
    breaks: breaking(["ready_at", "scheduled_for"], "IDEM-11"),
    mutate: ordersCompared(({ ready_at, scheduled_for, ...rest }) => rest),
  },
  "idempotency-ignores-packages": {
    fault: "another number of packages doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "package_count" }],
    mutate: ordersCompared(({ package_count, ...rest }) => rest),
  },
  "idempotency-ignores-the-payment-type": {
    fault: "another way to pay doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "payment.type" }],
    mutate: ordersCompared(({ payment: { type, ...payment }, ...rest }) => ({ ...rest, payment })),
  },
  "idempotency-ignores-amounts": {
    fault: "that an order is paid already doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "payment.prepaid" }],
    mutate: ordersCompared(({ payment: { prepaid, ...payment }, ...rest }) => ({ ...rest, payment })),
  },
  "idempotency-ignores-the-channel": {
    fault: "another origin_channel doesn't make another body",
    breaks: [{ clause: "IDEM-11", case: "origin_channel" }],
    mutate: ordersCompared(({ origin_channel, ...rest }) => rest),
  },
  "idempotency-compares-the-first-item": {
    fault: "of the items only the first makes another body, and their number",
    breaks: breaking(
      [
        "the second item's name",
        "the second item's quantity",
        "the last item's name",
        "the last item's quantity",
        "the last item's code",
      ],
      "IDEM-11",
    ),
    mutate: ordersCompared(({ items, ...rest }) => ({ ...rest, first: items?.[0], count: items?.length })),
  },
  "idempotency-ignores-the-last-item": {
    fault: "the last of several items doesn't make another body",
    breaks: breaking(["the last item's name", "the last item's quantity", "the last item's code"], "IDEM-11"),
    mutate: ordersCompared(({ items, ...rest }) => ({
      ...rest,
      items: items && items.length > 1 ? items.slice(0, -1) : items,
      count: items?.length,
    })),
  },
  "idempotency-ignores-the-order-of-items": {
    fault: "the same items in another order don't make another body",
    breaks: [{ clause: "IDEM-11", case: "the items in another order" }],
    mutate: ordersCompared(({ items, ...rest }) => ({
      ...rest,
      items: items?.map((item) => JSON.stringify(item)).toSorted(),
    })),
  },
  "idempotency-ignores-letter-case": {
    fault: "an order in other letter case is the same order",
    breaks: breaking(["notes in capitals"], "IDEM-11"),
    mutate: ordersCompared((body) => JSON.parse(JSON.stringify(body).toLowerCase())),
  },
  "idempotency-ignores-the-store": {
    fault: "the same order of another store is the same order",
    breaks: [{ clause: "IDEM-11" }],
    mutate: ordersCompared(({ store: _store, ...rest }) => rest),
  },
  "idempotency-ignores-missing-notes": {
    fault: "an order without notes is the same as one with them",
    breaks: [{ clause: "IDEM-11", case: "without notes" }],
    mutate: ordersCompared(({ notes, ...rest }) =>
      notes === undefined ? { ...rest, notes: "first" } : { ...rest, notes },
    ),
  },
} satisfies Record<string, Mutant>;
