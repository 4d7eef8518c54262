import { randomUUID } from "node:crypto";
import { DomainError, type ErrorCode, rejected } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery, alterPage } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterProperty, alterSchema, makeOptional } from "../operators/documents.ts";
import { alterCreation, alterOrder, alterRead, onRefusal } from "../operators/operations.ts";

type CreateCall = Call<"createDelivery">;

export const isRefusal = (error: unknown, code: ErrorCode): error is DomainError =>
  error instanceof DomainError && error.code === code;

/** A server that refuses an order with the code, but stores it with the changes, unless they are undefined. */
const refuseButStore = (
  code: ErrorCode,
  change: (call: CreateCall) => Promise<Partial<CreateCall["body"]> | undefined>,
): Mutate =>
  alterCreation((call, create) =>
    onRefusal(code, create(call), async (refusal) => {
      const changes = await change(call);
      const headers = { ...call.headers, "Idempotency-Key": randomUUID() };
      if (changes) await create({ ...call, headers, body: { ...call.body, ...changes } });
      throw refusal;
    }),
  );

/** Uses the integrator's first store for some orders with an unknown store. */
const fallBackIf = (applies: (order: CreateCall["body"]) => boolean) =>
  alterCreation(async (call, create) => {
    const { deps, integrator, body } = call;
    const stores = await deps.records.stores.list(deps.database, integrator.id);
    const known = stores.some((store) => store.external_store_id === body.store.external_store_id);
    if (known || !applies(body)) return create(call);
    const external_store_id = stores[0]?.external_store_id ?? "";
    return create({ ...call, body: { ...body, store: { external_store_id } } });
  });

const alterTexts = (change: (text: string) => string) =>
  alterOrder(({ notes, customer, items }) => ({
    notes: notes && change(notes),
    customer: { ...customer, name: customer?.name && change(customer.name) },
    items: items?.map((item) => ({ ...item, name: change(item.name) })),
  }));

/** A server whose response to a creation differs from the stored delivery. */
const alterCreationResponse = (change: (shown: Schemas["Delivery"]) => object) =>
  alterCreation(async (call, create) => {
    const reply = await create(call);
    return { ...reply, body: { ...reply.body, ...change(reply.body) } };
  });

const rounded = (amount: number): number => (amount > 1000 ? Math.round(amount) : amount);
const withoutEmoji = (text: string): string => text.replaceAll(/\p{Extended_Pictographic}/gu, "");
const inLatin1 = (text: string): string => text.replaceAll(/[\u0100-\uffff]/g, "?");

const limitBytes = (max: number, field: string, textOf: (body: CreateCall["body"]) => string | undefined) =>
  alterCreation(async (call, create) => {
    if (Buffer.byteLength(textOf(call.body) ?? "") > max) throw rejected(field, `en fazla ${max} bayt`);
    return create(call);
  });

export const creationMutants: Mutants = {
  "creation-answers-200": {
    fault: "a creation returns 200",
    breaks: [{ clause: "NEW-1" }],
    caughtBy: ["creation.any-order"],
    mutate: alterCreation(async (call, create) => ({ ...(await create(call)), status: 200 })),
  },
  "items-without-the-last": {
    fault: "the last item of an order is lost",
    breaks: [{ clause: "NEW-55" }],
    mutate: alterOrder(({ items }) => ({ items: items && items.length > 1 ? items.slice(0, -1) : items })),
  },
  "response-decrements-even-package-counts": {
    fault: "the response to a creation shows an even package_count reduced by one",
    breaks: [{ clause: "NEW-55" }],
    mutate: alterCreationResponse(({ package_count: count = 0 }) =>
      count % 2 === 0 ? { package_count: count - 1 } : {},
    ),
  },
  "response-rounds-large-amounts": {
    fault: "the response to a creation shows large amounts rounded",
    breaks: [{ clause: "NEW-55" }],
    mutate: alterCreationResponse(({ payment }) => ({
      payment: { ...payment, amount_due: rounded(Number(payment?.amount_due)) },
    })),
  },
  "response-loses-emoji": {
    fault: "the response to a creation shows the notes without emoji",
    breaks: [{ clause: "NEW-55" }],
    mutate: alterCreationResponse(({ notes = null }) => ({ notes: notes && withoutEmoji(notes) })),
  },
  "test-order-loses-its-items": {
    fault: "a test delivery has no items",
    breaks: [{ clause: "NEW-55" }],
    mutate: alterDelivery(({ test, items }) => ({ items: test ? [] : items })),
  },
  "response-has-at-most-100-items": {
    fault: "the response to a creation contains at most 100 items",
    breaks: [{ clause: "NEW-56", case: "the response to the creation" }],
    mutate: alterCreationResponse(({ items }) => ({ items: items?.slice(0, 100) })),
  },
  "notes-counted-in-bytes": {
    fault: "notes of more than 500 bytes are refused",
    breaks: [{ clause: "NEW-56" }, { clause: "LIMIT-22" }],
    mutate: limitBytes(500, "notes", ({ notes }) => notes),
  },
  "customer-note-counted-in-bytes": {
    fault: "a customer.note of more than 500 bytes is refused",
    breaks: [{ clause: "NEW-56" }, { clause: "LIMIT-21" }],
    mutate: limitBytes(500, "customer.note", ({ customer }) => customer?.note),
  },
  "channel-counted-in-bytes": {
    fault: "an origin_channel of more than 20 bytes is refused",
    breaks: [{ clause: "LIMIT-24" }],
    mutate: limitBytes(20, "origin_channel", ({ origin_channel }) => origin_channel),
  },
  "read-cuts-notes-at-255": {
    fault: "notes are cut at 255 characters when a delivery is read",
    breaks: [{ clause: "NEW-56", case: "GET /v1/deliveries/{id}" }],
    mutate: alterRead(({ notes = null }) => ({ notes: notes?.slice(0, 255) ?? null })),
  },
  "list-has-at-most-100-items": {
    fault: "the list contains at most 100 items of an order",
    // The failure shows the list that is too short, not one of its entries.
    actual: "[",
    breaks: [{ clause: "NEW-56", case: "GET /v1/deliveries" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((delivery) => ({ ...delivery, items: delivery.items?.slice(0, 100) })),
    })),
  },
  "turkish-letters-become-question-marks": {
    fault: "letters that Latin-1 lacks are returned as question marks",
    breaks: [{ clause: "NEW-56" }],
    mutate: alterOrder(({ notes, customer }) => ({
      notes: notes && inLatin1(notes),
      customer: { ...customer, note: customer?.note && inLatin1(customer.note) },
    })),
  },
  "customer-required": {
    fault: "an order without customer is refused",
    breaks: [{ clause: "NEW-11" }],
    mutate: alterSchema("NewDelivery", (changed) => {
      changed.required = [changed.required, "customer"].flat();
    }),
  },
  "unknown-store-is-bulunamadi": {
    fault: "an order for an unknown store is refused with BULUNAMADI",
    breaks: [{ clause: "NEW-10" }],
    mutate: alterCreation(async (call, create) => {
      try {
        return await create(call);
      } catch (error) {
        throw isRefusal(error, "MAGAZA_YOK") ? new DomainError("BULUNAMADI") : error;
      }
    }),
  },
  "unknown-store-falls-back": {
    fault: "an order for an unknown store is created at the integrator's first store",
    breaks: [{ clause: "NEW-10" }],
    mutate: fallBackIf(() => true),
  },
  "unknown-store-falls-back-when-scheduled": {
    fault: "a scheduled order for an unknown store is created at the integrator's first store",
    breaks: [{ clause: "NEW-10", case: "scheduled for tomorrow, with a PIN" }],
    mutate: fallBackIf(({ scheduled_for }) => scheduled_for !== undefined),
  },
  "unknown-store-falls-back-when-prepaid": {
    fault: "a prepaid order for an unknown store is created at the integrator's first store",
    breaks: [{ clause: "NEW-10", case: "prepaid, in several packages" }],
    mutate: fallBackIf(({ payment }) => payment.prepaid === true),
  },
  "order-for-an-unknown-store-refused-but-stored": {
    fault: "an order for an unknown store is refused, but stored for the integrator's first store",
    breaks: [{ clause: "NEW-51" }],
    caughtBy: ["creation.unknown-store"],
    mutate: refuseButStore("MAGAZA_YOK", async ({ deps, integrator }) => {
      const [first] = await deps.records.stores.list(deps.database, integrator.id);
      return { store: { external_store_id: first?.external_store_id ?? "" } };
    }),
  },
  "order-with-an-unlisted-code-refused-but-stored": {
    fault: "a prepaid order with an unlisted payment code is refused, but stored as cash",
    breaks: [{ clause: "NEW-51" }],
    caughtBy: ["creation.unknown-payment-type"],
    mutate: refuseButStore("DOGRULAMA", async ({ body: { payment } }) =>
      payment.prepaid === true ? { payment: { ...payment, type: "NAKIT" } } : undefined,
    ),
  },
  "amount-optional-when-prepaid": {
    fault: "payment.amount_due is optional for prepaid orders",
    breaks: [{ clause: "NEW-23", case: "no amount_due" }],
    caughtBy: ["creation.amount-due-when-prepaid"],
    mutate: compose(
      makeOptional("NewPayment", "amount_due"),
      alterOrder(({ payment }) => {
        if (payment.amount_due === undefined && payment.prepaid !== true) {
          throw rejected("payment.amount_due", "zorunlu alan");
        }
        return { payment: { ...payment, amount_due: payment.amount_due ?? 0 } };
      }),
    ),
  },
  "payment-type-optional-when-prepaid": {
    fault: "payment.type is optional for prepaid orders",
    breaks: [{ clause: "NEW-21", case: "no payment.type" }],
    caughtBy: ["creation.amount-due-when-prepaid"],
    mutate: compose(
      makeOptional("NewPayment", "type"),
      alterOrder(({ payment }, { deps }) => {
        if (payment.type === undefined && payment.prepaid !== true) {
          throw rejected("payment.type", "zorunlu alan");
        }
        return { payment: { ...payment, type: payment.type ?? deps.paymentTypes[0]?.kod } };
      }),
    ),
  },
  "order-without-coordinates-loses-its-note": {
    fault: "the customer's note is lost if the order has no coordinates",
    breaks: [{ clause: "NEW-55" }],
    mutate: alterOrder(({ customer, dropoff }) =>
      customer && dropoff.lat === undefined ? { customer: { ...customer, note: undefined } } : {},
    ),
  },
  "extension-with-dashes-accepted": {
    fault: "customer.phone_extension may contain dashes and spaces",
    breaks: [{ clause: "NEW-14" }],
    caughtBy: ["creation.extension-of-digits-alone"],
    mutate: alterProperty("NewCustomer", "phone_extension", { pattern: "^[0-9 -]+$" }),
  },
  "only-the-first-item-is-validated": {
    fault: "only the first item's quantity is validated",
    breaks: [{ clause: "NEW-32" }],
    caughtBy: ["creation.each-item-is-validated"],
    mutate: compose(
      alterProperty("NewItem", "quantity", { "x-max-decimals": undefined }),
      alterOrder(({ items }) => {
        const [first] = items ?? [];
        if (first?.quantity !== undefined && !Number.isInteger(Number(first.quantity) * 1000)) {
          throw rejected("items.0.quantity", "en çok üç ondalık");
        }
        return {};
      }),
    ),
  },
  "payment-of-any-code-accepted": {
    fault: "an unlisted payment code counts as cash",
    breaks: [{ clause: "NEW-22" }],
    mutate: alterOrder(({ payment }, { deps }) => {
      const listed = deps.paymentTypes.some(({ kod }) => kod === payment.type);
      return { payment: { ...payment, type: listed ? payment.type : "NAKIT" } };
    }),
  },
  "payment-of-any-code-accepted-when-prepaid": {
    fault: "a prepaid order may have an unlisted payment code",
    breaks: [{ clause: "NEW-22", case: "prepaid" }],
    mutate: alterOrder(({ payment }, { deps }) => {
      const listed = deps.paymentTypes.some(({ kod }) => kod === payment.type);
      return { payment: { ...payment, type: listed || payment.prepaid !== true ? payment.type : "NAKIT" } };
    }),
  },
  "prepaid-requires-an-amount": {
    fault: "payment.amount_due must be above 0, even for prepaid orders",
    breaks: [{ clause: "NEW-25" }],
    mutate: alterProperty("NewPayment", "amount_due", { exclusiveMinimum: 0 }),
  },
  "item-code-refused": {
    fault: "an item with a code is refused",
    breaks: [{ clause: "NEW-30" }],
    mutate: alterProperty("NewItem", "code", { type: "null" }),
  },
  "quantity-is-whole": {
    fault: "a quantity must be a whole number",
    breaks: [{ clause: "NEW-31" }, { clause: "LIMIT-27" }],
    caughtBy: ["creation.decimal-quantity"],
    mutate: alterProperty("NewItem", "quantity", { type: "integer" }),
  },
  "decimals-judged-in-binary": {
    fault: "some quantities with three decimal places are refused because of binary rounding",
    breaks: [{ clause: "NEW-31" }, { clause: "LIMIT-27" }],
    caughtBy: ["creation.decimal-quantity"],
    mutate: alterOrder(({ items = [] }) => {
      if (items.some(({ quantity }) => !Number.isInteger(quantity * 1000)))
        throw rejected("items.quantity", "en çok 3 ondalık olmalı");
      return {};
    }),
  },
  "package-count-2-by-default": {
    fault: "package_count defaults to 2",
    breaks: [{ clause: "NEW-36" }],
    mutate: compose(
      alterProperty("NewDelivery", "package_count", { default: undefined }),
      alterOrder(({ package_count }) => ({ package_count: package_count ?? 2 })),
    ),
  },
  "package-count-is-the-number-of-items-by-default": {
    fault: "package_count defaults to the number of items",
    breaks: [{ clause: "NEW-36" }],
    mutate: compose(
      alterProperty("NewDelivery", "package_count", { default: undefined }),
      alterOrder(({ package_count, items = [] }) => ({ package_count: package_count ?? items.length })),
    ),
  },
  "package-count-0-by-default": {
    fault: "package_count defaults to 0",
    breaks: [{ clause: "NEW-36" }],
    mutate: compose(
      alterProperty("NewDelivery", "package_count", { default: undefined }),
      alterOrder(({ package_count }) => ({ package_count: package_count ?? 0 })),
    ),
  },
  "ready-at-refused": {
    fault: "a ready_at in the future is refused",
    breaks: [{ clause: "NEW-37" }],
    mutate: alterProperty("NewDelivery", "ready_at", { "x-max-ahead": "PT0S" }),
  },
  "schedule-beyond-a-day-refused": {
    fault: "scheduled_for may be at most a day ahead",
    breaks: [{ clause: "NEW-38" }],
    mutate: alterProperty("NewDelivery", "scheduled_for", { "x-max-ahead": "P1D" }),
  },
  "pin-is-empty": {
    fault: "delivery_pin is an empty string",
    breaks: [{ clause: "NEW-42" }],
    mutate: alterDelivery(({ delivery_pin }) => ({ delivery_pin: delivery_pin && "" })),
  },
  "pin-missing-from-scheduled-orders": {
    fault: "a scheduled delivery has no delivery_pin",
    breaks: [
      { clause: "NEW-42", case: "scheduled for tomorrow, with a PIN" },
      { clause: "NEW-42", case: "without coordinates, for tomorrow" },
    ],
    mutate: alterDelivery(({ delivery_pin, scheduled_for }) => ({
      delivery_pin: scheduled_for === null ? delivery_pin : null,
    })),
  },
  "pin-not-required-for-scheduled-orders": {
    fault: "pin_required of a scheduled delivery is false",
    breaks: breaking(["scheduled for tomorrow, with a PIN", "without coordinates, for tomorrow"], "DLV-53"),
    caughtBy: ["creation.pin"],
    mutate: alterDelivery(({ pin_required, scheduled_for }) => ({
      pin_required: scheduled_for === null && pin_required,
    })),
  },
  "pin-missing-from-prepaid-orders": {
    fault: "a prepaid delivery has no delivery_pin",
    breaks: [{ clause: "NEW-42", case: "prepaid, in several packages" }],
    mutate: alterDelivery(({ delivery_pin, prepaid }) => ({ delivery_pin: prepaid ? null : delivery_pin })),
  },
  "pin-missing-without-coordinates": {
    fault: "a delivery without coordinates has no delivery_pin",
    breaks: [{ clause: "NEW-42", case: "without coordinates, for tomorrow" }],
    mutate: alterDelivery(({ delivery_pin, dropoff }) => ({
      delivery_pin: dropoff.lat === null ? null : delivery_pin,
    })),
  },
  "pin-on-the-201-only": {
    fault: "only the response to the creation contains delivery_pin",
    breaks: [{ clause: "NEW-42" }],
    mutate: alterRead(() => ({ delivery_pin: null })),
  },
  "text-is-normalised": {
    fault: "text is changed to Unicode's composed form (NFC)",
    breaks: [{ clause: "NEW-46" }],
    mutate: alterTexts((text) => text.normalize("NFC")),
  },
  "text-loses-emoji": {
    fault: "characters beyond the Basic Multilingual Plane are stored as question marks",
    breaks: [{ clause: "NEW-46" }],
    mutate: alterTexts((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?")),
  },
};
