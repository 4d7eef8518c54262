import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Mutants } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { ALL_ROWS, alterUpdate, overwriteDelivery } from "../operators/deliveries.ts";
import { alterCreation, replaceOperation } from "../operators/operations.ts";

/** The same customer: a phone number with an address. */
const customerOf = ({ customer, dropoff }: Delivery): string => `${customer.phone} ${dropoff.address}`;

/** Faults of changes and cancellations that affect other deliveries. */
export const changesOfOthersMutants: Mutants = {
  "customer-shared-by-phone": {
    fault: "a new customer.name changes all deliveries of the same customer",
    breaks: [{ clause: "DLV-91" }],
    mutate: (deps) => {
      const names = new Map<string, string | null>();
      return compose(
        alterUpdate(({ customer }, before) => {
          if (customer.name !== before.customer.name) names.set(customerOf(before), customer.name);
          return {};
        }),
        alterDelivery(({ customer }, delivery) => ({
          customer: { ...customer, name: names.get(customerOf(delivery)) ?? delivery.customer.name },
        })),
      )(deps);
    },
  },
  "address-shared-by-phone": {
    fault: "a new address changes all deliveries of the same customer",
    breaks: [{ clause: "DLV-91" }],
    mutate: (deps) => {
      const addresses = new Map<string, string>();
      return compose(
        alterUpdate(({ dropoff }, before) => {
          if (dropoff.address !== before.dropoff.address) addresses.set(customerOf(before), dropoff.address);
          return {};
        }),
        alterDelivery(({ dropoff }, delivery) => ({
          dropoff: { ...dropoff, text: addresses.get(customerOf(delivery)) ?? dropoff.text },
        })),
      )(deps);
    },
  },
  "latest-order-renames-the-customer": {
    fault: "the name in a new order replaces that in earlier orders of the same customer",
    breaks: [{ clause: "DLV-91" }],
    mutate: (deps) => {
      const names = new Map<string, string>();
      return compose(
        alterCreation(async (call, create) => {
          const { customer, dropoff } = call.body;
          if (customer?.phone && customer.name)
            names.set(`${call.deps.phone.international(customer.phone)} ${dropoff.text}`, customer.name);
          return create(call);
        }),
        alterDelivery(({ customer }, delivery) => ({
          customer: { ...customer, name: names.get(customerOf(delivery)) ?? delivery.customer.name },
        })),
      )(deps);
    },
  },
  "cancellation-by-reference": {
    fault: "a cancellation ends the deliveries with the same external_ref at other stores too",
    breaks: [{ clause: "DLV-91" }],
    mutate: replaceOperation("cancelDelivery", async (call, original) => {
      const reply = await original(call);
      const { deps, integrator, now } = call;
      const delivery = await deps.records.deliveries.find(deps.database, integrator.id, call.path.id);
      if (delivery === undefined) return reply;
      const { external_ref, cancel_reason } = delivery;
      const alike = await deps.records.deliveries.page(deps.database, integrator.id, {
        external_ref,
        rows: ALL_ROWS,
      });
      for (const { id, cancelled_at } of alike)
        if (cancelled_at === null) await overwriteDelivery(call, id, { cancelled_at: now, cancel_reason });
      return reply;
    }),
  },
};
