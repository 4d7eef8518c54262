import type { Schemas } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";

const compareOrdersBy =
  (partOf: (body: Schemas["NewDelivery"]) => unknown): Mutate =>
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
              fingerprint: () => call.deps.idempotency.fingerprint(partOf(call.body)),
            },
          },
        }),
    },
  });

export const idempotencyComparisonMutants: Mutants = {
  "idempotency-ignores-body": {
    fault: "a used key with a different body counts as a repeat",
    breaks: [{ clause: "IDEM-11" }, { clause: "ERR-17" }],
    caughtBy: ["idempotency.same-key-other-body"],
    mutate: (deps) => ({ ...deps, idempotency: { ...deps.idempotency, fingerprint: () => "" } }),
  },
  "idempotency-compares-the-reference": {
    fault: "only external_ref is compared to detect a different body",
    breaks: [{ clause: "IDEM-11" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ external_ref }) => external_ref),
  },
  "idempotency-compares-top-level-fields": {
    fault: "nested fields aren't compared to detect a different body",
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
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ items, payment, ...surface }) => surface),
  },
  "idempotency-ignores-directions": {
    fault: "a body with different directions counts as the same",
    breaks: [{ clause: "IDEM-11", case: "dropoff.directions" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ dropoff: { directions, ...place }, ...rest }) => ({ ...rest, ...place })),
  },
  "idempotency-ignores-the-customer": {
    fault: "a body with a different customer counts as the same",
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
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ customer, ...rest }) => rest),
  },
  "idempotency-ignores-the-pin": {
    fault: "a body with a different require_pin counts as the same",
    breaks: [{ clause: "IDEM-11", case: "require_pin" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ require_pin, ...rest }) => rest),
  },
  "idempotency-ignores-times": {
    fault: "a body with different times counts as the same",
    breaks: breaking(["ready_at", "scheduled_for"], "IDEM-11"),
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ ready_at, scheduled_for, ...rest }) => rest),
  },
  "idempotency-ignores-packages": {
    fault: "a body with a different package_count counts as the same",
    breaks: [{ clause: "IDEM-11", case: "package_count" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ package_count, ...rest }) => rest),
  },
  "idempotency-ignores-the-payment-type": {
    fault: "a body with a different payment.type counts as the same",
    breaks: [{ clause: "IDEM-11", case: "payment.type" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ payment: { type, ...payment }, ...rest }) => ({ ...rest, payment })),
  },
  "idempotency-ignores-prepaid": {
    fault: "a body with a different payment.prepaid counts as the same",
    breaks: [{ clause: "IDEM-11", case: "payment.prepaid" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ payment: { prepaid, ...payment }, ...rest }) => ({ ...rest, payment })),
  },
  "idempotency-ignores-the-channel": {
    fault: "a body with a different origin_channel counts as the same",
    breaks: [{ clause: "IDEM-11", case: "origin_channel" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ origin_channel, ...rest }) => rest),
  },
  "idempotency-compares-the-first-item": {
    fault: "only the first item and the number of items are compared to detect a different body",
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
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ items, ...rest }) => ({ ...rest, first: items?.[0], count: items?.length })),
  },
  "idempotency-ignores-the-last-item": {
    fault: "a body with a different last item counts as the same",
    breaks: breaking(["the last item's name", "the last item's quantity", "the last item's code"], "IDEM-11"),
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ items, ...rest }) => ({
      ...rest,
      items: items && items.length > 1 ? items.slice(0, -1) : items,
      count: items?.length,
    })),
  },
  "idempotency-compares-the-first-kilobyte": {
    fault: "bodies that differ after their first 1,024 characters count as the same",
    breaks: breaking(["the last item's quantity", "the last letter of the notes"], "IDEM-11"),
    caughtBy: ["idempotency.largest-order"],
    mutate: compareOrdersBy((body) => ({ beginning: JSON.stringify(body).slice(0, 1024) })),
  },
  "idempotency-ignores-the-order-of-items": {
    fault: "a body with reordered items counts as the same",
    breaks: [{ clause: "IDEM-11", case: "the items in another order" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ items, ...rest }) => ({
      ...rest,
      items: items?.map((item) => JSON.stringify(item)).toSorted(),
    })),
  },
  "idempotency-ignores-letter-case": {
    fault: "bodies are compared without case",
    breaks: breaking(["notes in capitals"], "IDEM-11"),
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy((body) => JSON.parse(JSON.stringify(body).toLowerCase())),
  },
  "idempotency-ignores-the-store": {
    fault: "a body with a different store counts as the same",
    breaks: [{ clause: "IDEM-11" }],
    caughtBy: ["idempotency.same-order-of-another-store"],
    mutate: compareOrdersBy(({ store: _store, ...rest }) => rest),
  },
  "idempotency-ignores-missing-notes": {
    fault: "a body without notes counts as the same as one with notes",
    breaks: [{ clause: "IDEM-11", case: "without notes" }],
    caughtBy: ["idempotency.nearly-same-body"],
    mutate: compareOrdersBy(({ notes, ...rest }) =>
      notes === undefined ? { ...rest, notes: "first" } : { ...rest, notes },
    ),
  },
};
