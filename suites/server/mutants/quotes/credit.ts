import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Mutant, Mutate } from "../mutant.ts";
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
const refundRefusedCancellationsOf = (status: Delivery["status"]): Mutate =>
  replaceOperation("cancelDelivery", async (call, original) => {
    const before = await findDelivery(call);
    return onRefusal("SON_DURUM", original(call), async (refusal) => {
      const { integrator, deps } = call;
      if (before?.status === status)
        await deps.transaction((tx) => deps.records.credit.add(tx, integrator.id, -1));
      throw refusal;
    });
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

export const creditMutants = {
  "cancelled-delivery-costs-credit": {
    fault: "the credit of a cancelled delivery isn't given back",
    breaks: [{ clause: "CREDIT-1" }],
    mutate: withoutRefundOf(() => true),
  },
  "credit-kept-after-assignment": {
    fault: "the credit of a delivery cancelled after the assignment isn't given back",
    breaks: [{ clause: "CREDIT-1" }],
    mutate: withoutRefundOf(({ assigned_at }) => assigned_at !== null),
  },
  "credit-stays-without-coordinates": {
    fault: "the credit of a delivery cancelled without coordinates isn't given back",
    breaks: [{ clause: "CREDIT-1", case: "without coordinates" }],
    mutate: withoutRefundOf(({ dropoff }) => dropoff.point === null),
  },
  "credit-stays-when-prepaid": {
    fault: "the credit of a cancelled prepaid delivery isn't given back",
    breaks: [{ clause: "CREDIT-1", case: "prepaid" }],
    mutate: withoutRefundOf(({ payment }) => payment.prepaid),
  },
  "credit-taken-again-for-a-changed-address": {
    fault: "a new address of a delivery with coordinates consumes credit again",
    breaks: [{ clause: "CREDIT-1", case: "with a changed address" }],
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
    mutate: withoutRefundOf(({ scheduled_for }) => scheduled_for !== null),
  },
  "credit-stays-while-offered": {
    fault: "the credit of a delivery cancelled during an offer isn't given back",
    breaks: [{ clause: "CREDIT-4", case: "during the offer" }],
    mutate: withoutRefundOf(({ status }) => status === "OFFERED"),
  },
  "credit-stays-after-an-offer": {
    fault: "the credit of a delivery cancelled after a lapsed offer isn't given back",
    breaks: [{ clause: "CREDIT-4", case: "lapsed" }],
    mutate: withoutRefundOf(({ status, offered_at }) => status === "QUEUED" && offered_at !== null),
  },
  "refused-cancellation-refunds-credit": {
    fault: "each cancellation of a cancelled delivery gives its credit back again, though it is refused",
    breaks: [{ clause: "CREDIT-5", case: "cancelled" }],
    mutate: refundRefusedCancellationsOf("CANCELLED"),
  },
  "cancellation-of-a-delivered-order-refunds-credit": {
    fault: "the refused cancellation of a delivered order gives its credit back",
    breaks: [{ clause: "CREDIT-5", case: "delivered" }],
    mutate: refundRefusedCancellationsOf("DELIVERED"),
  },
  "credit-stays-at-the-restaurant": {
    fault: "the credit of a delivery cancelled with the courier at the restaurant isn't given back",
    breaks: [{ clause: "CREDIT-1", case: "at_pickup" }],
    mutate: withoutRefundOf(({ status }) => status === "AT_PICKUP"),
  },
  "credit-taken-again-once-located": {
    fault: "adding coordinates to a delivery consumes credit again",
    breaks: [{ clause: "CREDIT-1", case: "located later" }],
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
    mutate: alterCreation(async (call, create) => {
      const reply = await create(call);
      if (reply.status === 200) await chargeCredit(call);
      return reply;
    }),
  },
  "far-quote-costs-credit": {
    fault: "a quote for a drop-off outside the area consumes credit",
    breaks: [{ clause: "CREDIT-2" }],
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
  "test-delivery-costs-credit": {
    fault: "a test delivery consumes credit like any other",
    breaks: [{ clause: "TESTD-6" }],
    mutate: (deps) => ({ ...deps, credit: { ...deps.credit, opening: () => 1 } }),
  },
} satisfies Record<string, Mutant>;
