import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { ErrorCode } from "../../../../reference-server/errors.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { findDelivery } from "../operators/deliveries.ts";
import { alterCreation, onRefusal, replaceOperation } from "../operators/operations.ts";

/** A server that doesn't refund the credit of some cancelled deliveries. */
const withoutRefundOf =
  (isKept: (cancelled: Delivery) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    credit: {
      ...deps.credit,
      cancelling: (delivery) => (isKept(delivery) ? 0 : deps.credit.cancelling(delivery)),
    },
  });

/** A server that refunds credit for refused cancellations of deliveries in this state. */
const refundRefusedCancellationsOf = (status: Delivery["status"], code: ErrorCode = "SON_DURUM"): Mutate =>
  replaceOperation("cancelDelivery", async (call, original) => {
    const before = await findDelivery(call);
    return onRefusal(code, original(call), async (refusal) => {
      const { integrator, deps } = call;
      if (before?.status === status)
        await deps.transaction((tx) => deps.records.credit.add(tx, integrator.id, -1));
      throw refusal;
    });
  });

/** A server whose test deliveries with this property consume credit. */
const chargeForTests =
  (isCharged: (opened: Delivery) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    credit: {
      ...deps.credit,
      opening: (opened) => (opened.test && isCharged(opened) ? 1 : deps.credit.opening(opened)),
    },
  });

const chargeCredit = ({ deps, integrator }: { deps: Dependencies; integrator: { readonly id: string } }) =>
  deps.transaction((tx) => deps.records.credit.add(tx, integrator.id, 1));

/** A server that charges credit for quotes with this reason. */
const chargeForQuotes = (reason: string): Mutate =>
  replaceOperation("createQuote", async (call, original) => {
    const reply = await original(call);
    if (reply.body.reason === reason) await chargeCredit(call);
    return reply;
  });

export const creditMutants: Mutants = {
  "cancelled-delivery-costs-credit": {
    fault: "the credit of a cancelled delivery isn't given back",
    breaks: [{ clause: "CREDIT-1" }],
    caughtBy: ["credit.cancelled"],
    mutate: withoutRefundOf(() => true),
  },
  "credit-kept-after-assignment": {
    fault: "the credit of a delivery cancelled after the assignment isn't given back",
    breaks: [{ clause: "CREDIT-1" }],
    caughtBy: ["credit.cancelled-with-a-courier"],
    mutate: withoutRefundOf(({ assigned_at }) => assigned_at !== null),
  },
  "credit-stays-without-coordinates": {
    fault: "the credit of a delivery cancelled without coordinates isn't given back",
    breaks: [{ clause: "CREDIT-1", case: "without coordinates" }],
    caughtBy: ["credit.cancelled"],
    mutate: withoutRefundOf(({ dropoff }) => dropoff.point === null),
  },
  "credit-stays-when-prepaid": {
    fault: "the credit of a cancelled prepaid delivery isn't given back",
    breaks: [{ clause: "CREDIT-1", case: "prepaid" }],
    caughtBy: ["credit.cancelled"],
    mutate: withoutRefundOf(({ payment }) => payment.prepaid),
  },
  "credit-taken-again-for-a-changed-address": {
    fault: "a new address of a delivery with coordinates consumes credit again",
    breaks: [{ clause: "CREDIT-1", case: "with a changed address" }],
    caughtBy: ["credit.cancelled"],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const before = await findDelivery(call);
      const reply = await original(call);
      if (call.body.dropoff && before?.dropoff.point) await chargeCredit(call);
      return reply;
    }),
  },
  "credit-stays-when-scheduled": {
    fault: "the credit of a cancelled scheduled delivery isn't given back",
    breaks: [{ clause: "CREDIT-1", case: "scheduled for tomorrow" }],
    caughtBy: ["credit.cancelled"],
    mutate: withoutRefundOf(({ scheduled_for }) => scheduled_for !== null),
  },
  "credit-stays-while-offered": {
    fault: "the credit of a delivery cancelled during an offer isn't given back",
    breaks: [{ clause: "CREDIT-4", case: "during the offer" }],
    mutate: withoutRefundOf(({ status }) => status === "OFFERED"),
  },
  "credit-stays-after-an-offer": {
    fault: "the credit of a delivery cancelled after a lapsed offer isn't given back",
    breaks: [{ clause: "CREDIT-4", case: "after it lapsed" }],
    mutate: withoutRefundOf(({ status, offered_at }) => status === "QUEUED" && offered_at !== null),
  },
  "refused-cancellation-refunds-credit": {
    fault: "each cancellation of a cancelled delivery gives its credit back again, though it is refused",
    breaks: [{ clause: "CREDIT-5" }],
    caughtBy: ["credit.repeated-cancellation"],
    mutate: refundRefusedCancellationsOf("CANCELLED"),
  },
  "cancellation-of-a-delivered-order-refunds-credit": {
    fault: "the refused cancellation of a delivered order gives its credit back",
    breaks: [{ clause: "CREDIT-5", case: "delivered" }],
    caughtBy: ["credit.refused-cancellation"],
    mutate: refundRefusedCancellationsOf("DELIVERED"),
  },
  "credit-stays-at-the-restaurant": {
    fault: "the credit of a delivery cancelled with the courier at the restaurant isn't given back",
    breaks: [{ clause: "CREDIT-1", case: "at_pickup" }],
    caughtBy: ["credit.cancelled-with-a-courier"],
    mutate: withoutRefundOf(({ status }) => status === "AT_PICKUP"),
  },
  "credit-taken-again-once-located": {
    fault: "adding coordinates to a delivery consumes credit again",
    breaks: [{ clause: "CREDIT-1", case: "located later" }],
    caughtBy: ["credit.cancelled"],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const before = await findDelivery(call);
      const reply = await original(call);
      if (before?.status === "RECEIVED" && call.body.dropoff?.lat !== undefined) await chargeCredit(call);
      return reply;
    }),
  },
  "credit-taken-again-for-a-repeat": {
    fault: "a repeated creation consumes credit again",
    breaks: [{ clause: "CREDIT-1", case: "created twice with one key" }],
    caughtBy: ["credit.cancelled"],
    mutate: alterCreation(async (call, create) => {
      const reply = await create(call);
      if (reply.status === 200) await chargeCredit(call);
      return reply;
    }),
  },
  "credit-taken-again-for-a-repeat-after-the-cancellation": {
    fault: "a creation that is repeated after the delivery's cancellation consumes credit again",
    breaks: [{ clause: "CREDIT-1", case: "created twice with one key" }],
    caughtBy: ["credit.cancelled"],
    mutate: alterCreation(async (call, create) => {
      const reply = await create(call);
      if (reply.body.cancelled_at !== null) await chargeCredit(call);
      return reply;
    }),
  },
  "credit-stays-of-another-store": {
    fault: "only the credit of the store that an integrator uses first is given back",
    breaks: [{ clause: "CREDIT-6" }],
    mutate: (deps) => {
      const firstStores = new Map<string, string>();
      const isOfFirst = ({ integrator_id, store_id }: Delivery) => {
        const first = firstStores.get(integrator_id) ?? store_id;
        firstStores.set(integrator_id, first);
        return first === store_id;
      };
      const { credit } = deps;
      return {
        ...deps,
        credit: {
          opening: (opened) => (isOfFirst(opened) ? credit.opening(opened) : credit.opening(opened)),
          cancelling: (cancelled) => (isOfFirst(cancelled) ? credit.cancelling(cancelled) : 0),
        },
      };
    },
  },
  "credit-stays-while-suspended": {
    fault: "the credit of a delivery cancelled while its store is suspended isn't given back",
    breaks: [{ clause: "CREDIT-6" }],
    mutate: replaceOperation("cancelDelivery", async (call, original) => {
      const reply = await original(call);
      const { database, records } = call.deps;
      const delivery = await findDelivery(call);
      const store = await records.stores.findById(database, delivery?.store_id ?? "");
      if (store?.status !== "ACTIVE") await chargeCredit(call);
      return reply;
    }),
  },
  "test-delivery-without-coordinates-costs-credit": {
    fault: "a test delivery without coordinates consumes credit",
    breaks: [{ clause: "TESTD-6" }],
    mutate: chargeForTests(({ dropoff }) => dropoff.point === null),
  },
  "scheduled-test-delivery-costs-credit": {
    fault: "a scheduled test delivery consumes credit",
    breaks: [{ clause: "TESTD-6" }],
    mutate: chargeForTests(({ scheduled_for }) => scheduled_for !== null),
  },
  "cancellation-of-an-order-with-the-courier-refunds-credit": {
    fault: "the refused cancellation of an order that the courier has gives its credit back",
    breaks: [{ clause: "CREDIT-5", case: "with the courier" }],
    caughtBy: ["credit.refused-cancellation"],
    mutate: refundRefusedCancellationsOf("PICKED_UP", "KURYE_ALDI"),
  },
  "far-quote-costs-credit": {
    fault: "a quote for a drop-off outside the area consumes credit",
    breaks: [{ clause: "CREDIT-2" }],
    caughtBy: ["credit.unserviceable-quote"],
    mutate: chargeForQuotes("HIZMET_DISI"),
  },
  "quote-at-a-suspended-store-costs-credit": {
    fault: "a quote for a suspended store consumes credit",
    breaks: [{ clause: "CREDIT-3" }],
    mutate: chargeForQuotes("MAGAZA_PASIF"),
  },
  "test-delivery-refunds-credit": {
    fault: "a test delivery gives back credit that it didn't consume",
    breaks: [{ clause: "TESTD-6" }],
    mutate: (deps) => ({
      ...deps,
      credit: { ...deps.credit, opening: (opened) => (opened.test ? -1 : deps.credit.opening(opened)) },
    }),
  },
  "cancelled-test-delivery-refunds-credit": {
    fault: "the refused cancellation of a test delivery gives back credit that it didn't consume",
    breaks: [{ clause: "TESTD-6" }],
    mutate: replaceOperation("cancelDelivery", async (call, original) => {
      const before = await findDelivery(call);
      return onRefusal("SON_DURUM", original(call), async (refusal) => {
        const { integrator, deps } = call;
        if (before?.test) await deps.transaction((tx) => deps.records.credit.add(tx, integrator.id, -1));
        throw refusal;
      });
    }),
  },
  "test-delivery-costs-credit": {
    fault: "a test delivery consumes credit like any other",
    breaks: [{ clause: "TESTD-6" }],
    mutate: (deps) => ({ ...deps, credit: { ...deps.credit, opening: () => 1 } }),
  },
};
