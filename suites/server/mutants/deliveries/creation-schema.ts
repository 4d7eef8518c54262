import { randomUUID } from "node:crypto";
import type { Mutant } from "../mutant.ts";
import { together } from "../operators/compose.ts";
import { optional, property } from "../operators/documents.ts";
import { creation, ordering } from "../operators/operations.ts";

/** Orders that lack what they must have, or have it of another type, and are taken. */
export const creationSchemaMutants = {
  "creation-makes-up-a-reference": {
    fault: "an order without external_ref gets one from the server",
    mutate: together(
      optional("NewDelivery", "external_ref"),
      ordering(({ external_ref }) => ({ external_ref: external_ref ?? randomUUID() })),
    ),
  },
  "creation-picks-a-store": {
    fault: "an order that names no store goes to the integrator's first",
    mutate: together(
      optional("StoreRef", "external_store_id"),
      creation(async (call, create) => {
        const { parts, integrator, body } = call;
        const [first] = await parts.records.stores.list(parts.database, integrator.id);
        const external_store_id = body.store.external_store_id ?? first?.external_store_id;
        return create({ ...call, body: { ...body, store: { external_store_id } } });
      }),
    ),
  },
  "creation-without-address-taken": {
    fault: "an order with coordinates needs no dropoff.text",
    mutate: together(
      optional("NewDropoff", "text"),
      ordering(({ dropoff }) => ({ dropoff: { ...dropoff, text: dropoff.text ?? "" } })),
    ),
  },
  "payment-is-cash-by-default": {
    fault: "an order without payment.type is paid in cash",
    mutate: together(
      optional("NewPayment", "type"),
      ordering(({ payment }) => ({ payment: { ...payment, type: payment.type ?? "NAKIT" } })),
    ),
  },
  "nothing-is-due-by-default": {
    fault: "an order without payment.amount_due has nothing due",
    mutate: together(
      optional("NewPayment", "amount_due"),
      ordering(({ payment }) => ({ payment: { ...payment, amount_due: payment.amount_due ?? 0 } })),
    ),
  },
  "amount-of-any-type-taken": {
    fault: "a payment.amount_due that is no number counts as 0",
    mutate: together(
      property("NewPayment", "amount_due", { type: undefined }),
      ordering(({ payment }) => ({ payment: { ...payment, amount_due: Number(payment.amount_due) || 0 } })),
    ),
  },
  "prepaid-by-truthiness": {
    fault: "any payment.prepaid that isn't empty counts as true",
    mutate: together(
      property("NewPayment", "prepaid", { type: undefined }),
      ordering(({ payment }) => ({ payment: { ...payment, prepaid: Boolean(payment.prepaid) } })),
    ),
  },
  "subtotal-of-any-type-taken": {
    fault: "payment.subtotal may be anything",
    mutate: property("NewPayment", "subtotal", { type: undefined }),
  },
  "discount-of-any-type-taken": {
    fault: "payment.discount may be anything",
    mutate: property("NewPayment", "discount", { type: undefined }),
  },
  "items-of-any-type-taken": {
    fault: "items that are no array count as none",
    mutate: together(
      property("NewDelivery", "items", { type: undefined }),
      ordering(({ items }) => ({ items: Array.isArray(items) ? items : [] })),
    ),
  },
  "packages-by-halves": {
    fault: "package_count may be a fraction",
    mutate: together(
      property("NewDelivery", "package_count", { type: "number" }),
      ordering(({ package_count }) => ({ package_count: package_count && Math.ceil(package_count) })),
    ),
  },
  "pin-by-truthiness": {
    fault: "any require_pin that isn't empty counts as true",
    mutate: property("NewDelivery", "require_pin", { type: undefined }),
  },
  "test-by-truthiness": {
    fault: "any test that isn't empty counts as true",
    mutate: together(
      property("NewDelivery", "test", { type: undefined }),
      ordering(({ test }) => ({ test: Boolean(test) })),
    ),
  },
  "district-of-any-type-taken": {
    fault: "dropoff.district may be anything",
    mutate: property("NewDropoff", "district", { type: undefined }),
  },
  "payment-object-optional": {
    fault: "an order without payment is taken for one with nothing to collect",
    mutate: together(
      optional("NewDelivery", "payment"),
      ordering(({ payment }) => ({ payment: payment ?? { type: "NAKIT", amount_due: 0 } })),
    ),
  },
} satisfies Record<string, Mutant>;
