import { randomUUID } from "node:crypto";
import { DomainError, rejected } from "../../../../reference-server/errors.ts";
import { requestSchemaError } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { alterRefusal } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterProperty, alterSchema } from "../operators/documents.ts";
import { alterCreation, alterOrder } from "../operators/operations.ts";

/** Any text instead of a time with an offset. */
const anyTime = { $ref: undefined, type: "string" };

const round = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places;

export const creationBoundsMutants: Mutants = {
  "reference-of-41-accepted": {
    fault: "external_ref may have 41 characters",
    breaks: [{ clause: "NEW-3" }],
    mutate: alterProperty("NewDelivery", "external_ref", { maxLength: 41 }),
  },
  "reference-of-40-refused": {
    fault: "external_ref must have fewer than 40 characters",
    breaks: [{ clause: "LIMIT-18" }],
    mutate: alterProperty("NewDelivery", "external_ref", { maxLength: 39 }),
  },
  "reference-cut-at-40": {
    fault: "a longer external_ref is accepted and cut at 40 characters",
    breaks: [{ clause: "NEW-3" }],
    mutate: compose(
      alterProperty("NewDelivery", "external_ref", { maxLength: undefined }),
      alterOrder(({ external_ref }) => ({ external_ref: external_ref.slice(0, 40) })),
    ),
  },
  "extension-with-letters-accepted": {
    fault: "customer.phone_extension may contain letters",
    breaks: [{ clause: "NEW-14" }],
    caughtBy: ["creation-bounds.customer-phone-extension-pattern"],
    mutate: alterProperty("NewCustomer", "phone_extension", { pattern: "^[0-9a-z]+$" }),
  },
  "extension-of-21-accepted": {
    fault: "customer.phone_extension may have 21 digits",
    breaks: [{ clause: "NEW-15" }],
    mutate: alterProperty("NewCustomer", "phone_extension", { maxLength: 21 }),
  },
  "extension-of-20-refused": {
    fault: "customer.phone_extension must have fewer than 20 digits",
    breaks: [{ clause: "LIMIT-23" }],
    mutate: alterProperty("NewCustomer", "phone_extension", { maxLength: 19 }),
  },
  "note-of-501-accepted": {
    fault: "customer.note may have 501 characters",
    breaks: [{ clause: "NEW-17" }],
    mutate: alterProperty("NewCustomer", "note", { maxLength: 501 }),
  },
  "note-of-501-accepted-without-coordinates": {
    fault: "customer.note may have 501 characters in an order without coordinates",
    breaks: [{ clause: "ERR-8", case: "customer.note of 501 characters" }],
    caughtBy: ["creation-bounds.every-field"],
    mutate: compose(
      alterProperty("NewCustomer", "note", { maxLength: 501 }),
      alterCreation(async (call, create) => {
        const { customer, dropoff } = call.body;
        if (dropoff.lat !== undefined && (customer?.note?.length ?? 0) > 500)
          throw rejected("customer.note", "en çok 500 karakter");
        return create(call);
      }),
    ),
  },
  "note-of-500-refused": {
    fault: "customer.note must have fewer than 500 characters",
    breaks: [{ clause: "LIMIT-21" }],
    mutate: alterProperty("NewCustomer", "note", { maxLength: 499 }),
  },
  "note-cut-at-255": {
    fault: "customer.note is cut at 255 characters",
    breaks: [{ clause: "LIMIT-21" }],
    mutate: alterOrder(({ customer }) => ({
      customer: { ...customer, note: customer?.note?.slice(0, 255) },
    })),
  },
  "items-201-accepted": {
    fault: "an order may have 201 items",
    breaks: [{ clause: "NEW-29" }],
    mutate: alterProperty("NewDelivery", "items", { maxItems: 201 }),
  },
  "items-200-refused": {
    fault: "an order must have fewer than 200 items",
    breaks: [{ clause: "LIMIT-16" }],
    mutate: alterProperty("NewDelivery", "items", { maxItems: 199 }),
  },
  "items-cut-at-100": {
    fault: "only the first 100 items are stored",
    breaks: [{ clause: "LIMIT-16" }],
    mutate: alterOrder(({ items }) => ({ items: items?.slice(0, 100) })),
  },
  "quantity-of-4-decimals-accepted": {
    fault: "a quantity may have four decimal places",
    breaks: [{ clause: "NEW-32" }],
    caughtBy: ["creation-bounds.items-quantity-decimals"],
    mutate: alterProperty("NewItem", "quantity", { "x-max-decimals": 4 }),
  },
  "quantity-of-3-decimals-refused": {
    fault: "a quantity may have at most two decimal places",
    breaks: [{ clause: "LIMIT-27" }],
    caughtBy: ["creation-bounds.items-quantity-decimals"],
    mutate: alterProperty("NewItem", "quantity", { "x-max-decimals": 2 }),
  },
  "decimals-counted-in-the-text": {
    fault: "decimal places are counted in the number's text, so 1e-7 is accepted as a quantity",
    breaks: [{ clause: "NEW-32" }],
    caughtBy: ["creation-bounds.items-quantity-exponent"],
    mutate: compose(
      alterProperty("NewItem", "quantity", { "x-max-decimals": undefined }),
      alterOrder(({ items = [] }) => {
        if (items.some(({ quantity }) => /\.\d{4}/.test(String(quantity))))
          throw rejected("items.quantity", "en çok 3 ondalık olmalı");
        return {};
      }),
    ),
  },
  "quantity-rounded": {
    fault: "a quantity with too many decimal places is rounded instead of refused",
    breaks: [{ clause: "NEW-32" }],
    caughtBy: ["creation-bounds.items-quantity-decimals"],
    mutate: compose(
      alterProperty("NewItem", "quantity", { "x-max-decimals": undefined }),
      alterOrder(({ items }) => ({
        items: items?.map((item) => ({ ...item, quantity: round(item.quantity, 2) })),
      })),
    ),
  },
  "packages-0-accepted": {
    fault: "package_count may be 0",
    breaks: [{ clause: "NEW-33" }],
    mutate: alterProperty("NewDelivery", "package_count", { minimum: 0 }),
  },
  "packages-1-refused": {
    fault: "a package_count of 1 is refused",
    breaks: [{ clause: "NEW-33" }, { clause: "LIMIT-26" }],
    caughtBy: ["creation-bounds.package-count-minimum"],
    mutate: alterProperty("NewDelivery", "package_count", { minimum: 2 }),
  },
  "packages-21-accepted": {
    fault: "package_count may be 21",
    breaks: [{ clause: "NEW-34" }],
    mutate: alterProperty("NewDelivery", "package_count", { maximum: 21 }),
  },
  "packages-20-refused": {
    fault: "package_count must be below 20",
    breaks: [{ clause: "LIMIT-26" }],
    caughtBy: ["creation-bounds.package-count-maximum"],
    mutate: alterProperty("NewDelivery", "package_count", { maximum: 19 }),
  },
  "ready-at-without-zone-accepted": {
    fault: "a ready_at without a time zone is accepted",
    breaks: [{ clause: "GEN-10" }],
    caughtBy: ["creation-bounds.ready-at-zone"],
    mutate: alterProperty("NewDelivery", "ready_at", anyTime),
  },
  "schedule-without-zone-accepted": {
    fault: "a scheduled_for without a time zone is accepted",
    breaks: [{ clause: "GEN-10" }],
    caughtBy: ["creation-bounds.scheduled-for-zone"],
    mutate: alterProperty("NewDelivery", "scheduled_for", anyTime),
  },
  "schedule-of-8-days-and-an-hour-accepted": {
    fault: "scheduled_for may be more than 7 days ahead",
    breaks: [{ clause: "NEW-39" }],
    caughtBy: ["creation-bounds.scheduled-for-ahead"],
    mutate: alterProperty("NewDelivery", "scheduled_for", { "x-max-ahead": "PT193H" }),
  },
  "schedule-of-6-days-and-22-hours-refused": {
    fault: "scheduled_for must be well under 7 days ahead",
    breaks: [{ clause: "LIMIT-28" }],
    caughtBy: ["creation-bounds.scheduled-for-ahead"],
    mutate: alterProperty("NewDelivery", "scheduled_for", { "x-max-ahead": "PT166H" }),
  },
  "schedule-refused-with-422": {
    fault: "a scheduled_for too far ahead is refused with 422",
    breaks: [{ clause: "NEW-40" }],
    mutate: compose(
      alterProperty("NewDelivery", "scheduled_for", { "x-max-ahead": undefined }),
      alterCreation(async (call, create) => {
        const scheduled = Date.parse(call.body.scheduled_for ?? "");
        if (scheduled > call.now + 7 * 86_400_000) throw new DomainError("HIZMET_DISI");
        return create(call);
      }),
    ),
  },
  "notes-of-501-accepted": {
    fault: "notes may have 501 characters",
    breaks: [{ clause: "NEW-43" }],
    mutate: alterProperty("NewDelivery", "notes", { maxLength: 501 }),
  },
  "notes-of-500-refused": {
    fault: "notes must have fewer than 500 characters",
    breaks: [{ clause: "LIMIT-22" }],
    mutate: alterProperty("NewDelivery", "notes", { maxLength: 499 }),
  },
  "notes-cut-at-255": {
    fault: "notes are cut at 255 characters",
    breaks: [{ clause: "LIMIT-22" }],
    mutate: alterOrder(({ notes }) => ({ notes: notes?.slice(0, 255) })),
  },
  "channel-of-21-accepted": {
    fault: "origin_channel may have 21 characters",
    breaks: [{ clause: "NEW-44" }],
    mutate: alterProperty("NewDelivery", "origin_channel", { maxLength: 21 }),
  },
  "long-note-blamed-on-the-customer": {
    fault: "details name customer instead of customer.note if the note is too long",
    breaks: [
      { clause: "ERR-4", case: "customer.note that is an object" },
      { clause: "ERR-4", case: "customer.note of 501 characters" },
    ],
    caughtBy: ["creation-bounds.every-field"],
    mutate: alterRefusal((failure, original) =>
      original(
        Reflect.get({ ...failure.details }, "field") === "customer.note"
          ? { ...failure, details: { ...failure.details, field: "customer" } }
          : failure,
      ),
    ),
  },
  "wrong-type-without-reason": {
    fault: "details give no reason for a wrong type",
    breaks: breaking(
      [
        "external_ref that is null",
        "external_ref that is an object",
        "store that is null",
        "store that is a string",
        "store.external_store_id that is null",
        "store.external_store_id that is an object",
        "customer that is a string",
        "customer.name that is an object",
        "customer.phone that is an object",
        "customer.phone_extension that is an object",
        "customer.note that is an object",
        "dropoff that is null",
        "dropoff that is a string",
        "dropoff.text that is null",
        "dropoff.text that is an object",
        "dropoff.directions that is an object",
        "dropoff.neighborhood that is an object",
        "dropoff.district that is an object",
        "dropoff.city that is an object",
        "payment that is null",
        "payment that is a string",
        "payment.type that is null",
        "payment.type that is an object",
        "payment.amount_due that is null",
        "payment.amount_due that is a string",
        "payment.prepaid that is a string",
        "payment.subtotal that is a string",
        "payment.discount that is a string",
        "items that is a number",
        "package_count that is a fraction",
        "ready_at that is an object",
        "scheduled_for that is an object",
        "require_pin that is a string",
        "notes that is an object",
        "origin_channel that is an object",
        "test that is a string",
      ],
      "ERR-5",
    ),
    caughtBy: ["creation-bounds.every-field"],
    mutate: alterRefusal((failure, original) => {
      const { reason, ...rest }: Readonly<Record<string, unknown>> = { ...failure.details };
      return original(String(reason).startsWith("türü ") ? { ...failure, details: rest } : failure);
    }),
  },
  "refused-creation-is-written": {
    fault: "an invalid order is refused, but stored",
    breaks: [{ clause: "NEW-51" }, { clause: "GEN-13" }],
    caughtBy: [
      "creation-bounds.any-violation",
      "creation-bounds.ready-at-zone",
      "creation-bounds.scheduled-for-zone",
    ],
    mutate: compose(
      alterSchema("NewDelivery", (changed) => {
        for (const key of Object.keys(changed)) delete changed[key];
        changed.type = "object";
      }),
      alterCreation(async (call, create) => {
        const fault = requestSchemaError("createDelivery", call.body);
        if (fault === undefined) return create(call);
        const { external_ref } = call.body;
        const [store] = await call.deps.records.stores.list(call.deps.database, call.integrator.id);
        await create({
          ...call,
          body: {
            external_ref: typeof external_ref === "string" ? external_ref.slice(0, 40) : randomUUID(),
            store: { external_store_id: store?.external_store_id ?? "" },
            dropoff: { text: "?" },
            payment: { type: "NAKIT", amount_due: 0 },
          },
        });
        throw rejected("body", fault);
      }),
    ),
  },
};
