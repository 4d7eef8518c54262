import type { Mutants } from "../mutant.ts";
import { alterDelivery, alterPage } from "../operators/answers.ts";
import { findDelivery } from "../operators/deliveries.ts";
import { alterCreation, alterOrder, onRefusal, replaceOperation } from "../operators/operations.ts";

export const testDeliveriesMutants: Mutants = {
  "test-delivery-is-not-stored": {
    fault: "a test delivery isn't stored",
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
    fault: "creating a test delivery returns 200",
    breaks: [{ clause: "TESTD-1" }],
    mutate: alterCreation(async (call, create) => {
      const created = await create(call);
      return call.body.test ? { ...created, status: 200 } : created;
    }),
  },
  "test-delivery-stays-open": {
    fault: "a test delivery isn't cancelled",
    breaks: [{ clause: "TESTD-5" }],
    mutate: alterOrder(() => ({ test: false })),
  },
  "test-without-coordinates-stays-open": {
    fault: "a test delivery without coordinates isn't cancelled",
    breaks: [{ clause: "TESTD-5", case: "without coordinates" }],
    mutate: alterOrder(({ test, dropoff }) => ({ test: test === true && dropoff.lat !== undefined })),
  },
  "scheduled-test-waits-for-its-time": {
    fault: "a scheduled test delivery isn't cancelled",
    breaks: [{ clause: "TESTD-5", case: "with a scheduled_for" }],
    mutate: alterOrder(({ test, scheduled_for }) => ({ test: test === true && scheduled_for == null })),
  },
  "test-delivery-is-cancelled-again": {
    fault: "cancelling a test delivery succeeds, although it is already cancelled",
    breaks: [{ clause: "STATE-27" }],
    caughtBy: ["test-deliveries.cancelled"],
    mutate: replaceOperation("cancelDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        if ((await findDelivery(call))?.test) return { status: 204 };
        throw refusal;
      }),
    ),
  },
  "test-delivery-is-changed": {
    fault: "a test delivery can be changed, although it is cancelled",
    breaks: [{ clause: "STATE-31" }],
    caughtBy: ["test-deliveries.cancelled"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        if ((await findDelivery(call))?.test) return { status: 204 };
        throw refusal;
      }),
    ),
  },
  "list-without-test-deliveries": {
    fault: "the list leaves out test deliveries",
    breaks: [{ clause: "DLV-34", case: "test: true" }],
    mutate: alterPage(({ items }) => ({ items: items.filter(({ test }) => !test) })),
  },
  "real-delivery-is-cancelled": {
    fault: "an order with test: false is cancelled like a test delivery",
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
};
