import type { Mutant } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { findDelivery } from "../operators/deliveries.ts";
import { alterCreation, alterOrder, onRefusal, replaceOperation } from "../operators/operations.ts";

export const testDeliveriesMutants = {
  "test-delivery-is-not-stored": {
    fault: "a test delivery is answered like any other, and never written",
    breaks: [{ clause: "TESTD-1" }],
    mutate: (deps) => ({
      ...deps,
      records: {
        ...deps.records,
        deliveries: {
          ...deps.records.deliveries,
          insert: async (tx, delivery, dueAt) =>
            delivery.test || deps.records.deliveries.insert(tx, delivery, dueAt),
        },
      },
    }),
  },
  "test-delivery-answers-200": {
    fault: "the creation of a test delivery is answered 200",
    breaks: [{ clause: "TESTD-1" }],
    mutate: alterCreation(async (call, create) => {
      const created = await create(call);
      return call.body.test ? { ...created, status: 200 } : created;
    }),
  },
  "test-delivery-stays-open": {
    fault: "a test delivery is treated like a real one",
    breaks: [{ clause: "TESTD-5" }],
    mutate: alterOrder(() => ({ test: false })),
  },
  "test-without-coordinates-stays-open": {
    fault: "a test delivery without coordinates waits for them like a real one",
    breaks: [{ clause: "TESTD-5", case: "without coordinates" }],
    mutate: alterOrder(({ test, dropoff }) => ({ test: test === true && dropoff.lat !== undefined })),
  },
  "scheduled-test-waits-for-its-time": {
    fault: "a test delivery with a scheduled_for waits for its time like a real one",
    breaks: [{ clause: "TESTD-5", case: "with a scheduled_for" }],
    mutate: alterOrder(({ test, scheduled_for }) => ({ test: test === true && scheduled_for == null })),
  },
  "test-delivery-is-cancelled-again": {
    fault: "a cancellation of a test delivery is taken, though it is cancelled",
    breaks: [{ clause: "STATE-27" }],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        if ((await findDelivery(call))?.test) return { status: 204 };
        throw refusal;
      }),
    ),
  },
  "real-delivery-is-cancelled": {
    fault: "an order that says test: false is cancelled like a test",
    breaks: [{ clause: "TESTD-5" }],
    mutate: alterOrder(({ test }) => ({ test: test !== undefined })),
  },
  "test-flag-always-false": {
    fault: "test is false on every delivery",
    breaks: [{ clause: "DLV-34", case: "test: true" }],
    mutate: alterDelivery(() => ({ test: false })),
  },
  "test-flag-always-true": {
    fault: "test is true on every delivery",
    breaks: [{ clause: "DLV-34", case: "test: false" }],
    mutate: alterDelivery(() => ({ test: true })),
  },
} satisfies Record<string, Mutant>;
