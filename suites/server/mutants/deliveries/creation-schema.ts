import { randomUUID } from "node:crypto";
import type { Mutants } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { alterProperty, makeOptional } from "../operators/documents.ts";
import { alterCreation, alterOrder } from "../operators/operations.ts";

export const creationSchemaMutants: Mutants = {
  "creation-invents-a-reference": {
    fault: "an order without external_ref is accepted and gets a generated one",
    breaks: [{ clause: "NEW-2" }],
    mutate: compose(
      makeOptional("NewDelivery", "external_ref"),
      alterOrder(({ external_ref }) => ({ external_ref: external_ref ?? randomUUID() })),
    ),
  },
  "creation-picks-a-store": {
    fault: "an order without a store is created at the integrator's first store",
    breaks: [{ clause: "NEW-9" }],
    mutate: compose(
      makeOptional("StoreRef", "external_store_id"),
      alterCreation(async (call, create) => {
        const { deps, integrator, body } = call;
        const [first] = await deps.records.stores.list(deps.database, integrator.id);
        const external_store_id = body.store.external_store_id ?? first?.external_store_id;
        return create({ ...call, body: { ...body, store: { external_store_id } } });
      }),
    ),
  },
  "creation-without-address-accepted": {
    fault: "an order with coordinates needs no dropoff.text",
    breaks: [{ clause: "NEW-18" }],
    mutate: compose(
      makeOptional("NewDropoff", "text"),
      alterOrder(({ dropoff }) => ({ dropoff: { ...dropoff, text: dropoff.text ?? "" } })),
    ),
  },
  "payment-is-cash-by-default": {
    fault: "an order without payment.type is paid in cash",
    breaks: [{ clause: "NEW-21" }],
    caughtBy: ["creation-bounds.payment-type-required"],
    mutate: compose(
      makeOptional("NewPayment", "type"),
      alterOrder(({ payment }) => ({ payment: { ...payment, type: payment.type ?? "NAKIT" } })),
    ),
  },
  "amount-due-is-0-by-default": {
    fault: "payment.amount_due defaults to 0",
    breaks: [{ clause: "NEW-23" }],
    caughtBy: ["creation-bounds.payment-amount-due-required"],
    mutate: compose(
      makeOptional("NewPayment", "amount_due"),
      alterOrder(({ payment }) => ({ payment: { ...payment, amount_due: payment.amount_due ?? 0 } })),
    ),
  },
  "amount-of-any-type-accepted": {
    fault: "a payment.amount_due that isn't a number counts as 0",
    breaks: [{ clause: "NEW-24" }],
    mutate: compose(
      alterProperty("NewPayment", "amount_due", { type: undefined }),
      alterOrder(({ payment }) => ({ payment: { ...payment, amount_due: Number(payment.amount_due) || 0 } })),
    ),
  },
  "prepaid-by-truthiness": {
    fault: "any non-empty payment.prepaid counts as true",
    breaks: [{ clause: "NEW-26" }],
    mutate: compose(
      alterProperty("NewPayment", "prepaid", { type: undefined }),
      alterOrder(({ payment }) => ({ payment: { ...payment, prepaid: Boolean(payment.prepaid) } })),
    ),
  },
  "subtotal-of-any-type-accepted": {
    fault: "payment.subtotal may have any type",
    breaks: [{ clause: "NEW-27" }],
    caughtBy: ["creation-bounds.payment-subtotal-type"],
    mutate: alterProperty("NewPayment", "subtotal", { type: undefined }),
  },
  "discount-of-any-type-accepted": {
    fault: "payment.discount may have any type",
    breaks: [{ clause: "NEW-27" }],
    caughtBy: ["creation-bounds.payment-discount-type"],
    mutate: alterProperty("NewPayment", "discount", { type: undefined }),
  },
  "items-of-any-type-accepted": {
    fault: "items of another type than array are accepted as an empty list",
    breaks: [{ clause: "NEW-28" }],
    mutate: compose(
      alterProperty("NewDelivery", "items", { type: undefined }),
      alterOrder(({ items }) => ({ items: Array.isArray(items) ? items : [] })),
    ),
  },
  "package-count-accepts-halves": {
    fault: "package_count may be a fraction",
    breaks: [{ clause: "NEW-35" }],
    mutate: compose(
      alterProperty("NewDelivery", "package_count", { type: "number" }),
      alterOrder(({ package_count }) => ({ package_count: package_count && Math.ceil(package_count) })),
    ),
  },
  "pin-by-truthiness": {
    fault: "any non-empty require_pin counts as true",
    breaks: [{ clause: "NEW-45" }],
    caughtBy: ["creation-bounds.require-pin-type"],
    mutate: alterProperty("NewDelivery", "require_pin", { type: undefined }),
  },
  "test-by-truthiness": {
    fault: "any non-empty value of test counts as true",
    breaks: [{ clause: "NEW-45" }],
    caughtBy: ["creation-bounds.test-type"],
    mutate: compose(
      alterProperty("NewDelivery", "test", { type: undefined }),
      alterOrder(({ test }) => ({ test: Boolean(test) })),
    ),
  },
  "district-of-any-type-accepted": {
    fault: "dropoff.district may have any type",
    breaks: [{ clause: "ERR-8", case: "dropoff.district that is an object" }],
    caughtBy: ["creation-bounds.every-field"],
    mutate: alterProperty("NewDropoff", "district", { type: undefined }),
  },
  "payment-object-optional": {
    fault: "an order without payment is accepted with nothing to collect",
    breaks: [{ clause: "ERR-8", case: "payment that is missing" }],
    caughtBy: ["creation-bounds.every-field"],
    mutate: compose(
      makeOptional("NewDelivery", "payment"),
      alterOrder(({ payment }) => ({ payment: payment ?? { type: "NAKIT", amount_due: 0 } })),
    ),
  },
};
