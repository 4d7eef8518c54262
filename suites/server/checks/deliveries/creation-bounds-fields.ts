import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { valueAt } from "../../../core/text/member-paths.ts";
import type { FieldTable } from "../bounds/checks.ts";

const HOUR_MS = 3_600_000;

/**
 * All fields of a new order, each with the check of each bound, and with an example if the plain order lacks
 * the field.
 */
export const creationFields: FieldTable = {
  external_ref: {
    rules: {
      required: {
        id: "creation-bounds.external-ref-required",
        clauses: [clause["NEW-2"]],
      },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
      maxLength: {
        id: "creation-bounds.external-ref-maxlength",
        clauses: [clause["NEW-3"]],
        accepted: clause["LIMIT-18"],
      },
    },
  },
  store: {
    rules: { required: "in-grouped-check", "non-null": "in-grouped-check", type: "in-grouped-check" },
  },
  "store.external_store_id": {
    rules: {
      required: {
        id: "creation-bounds.store-external-store-id-required",
        clauses: [clause["NEW-9"]],
      },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
      maxLength: { unspecified: "OPEN-236" },
    },
  },
  customer: { rules: { type: "in-grouped-check" } },
  "customer.name": { rules: { type: "in-grouped-check" } },
  "customer.phone": { rules: { type: "in-grouped-check" } },
  "customer.phone_extension": {
    example: () => "4021",
    rules: {
      type: "in-grouped-check",
      pattern: {
        id: "creation-bounds.customer-phone-extension-pattern",
        clauses: [clause["NEW-14"]],
      },
      maxLength: {
        id: "creation-bounds.customer-phone-extension-maxlength",
        clauses: [clause["NEW-15"]],
        accepted: clause["LIMIT-23"],
      },
    },
  },
  "customer.note": {
    example: () => "Zil bozuk",
    rules: {
      type: "in-grouped-check",
      maxLength: {
        id: "creation-bounds.customer-note-maxlength",
        clauses: [clause["NEW-17"]],
        accepted: clause["LIMIT-21"],
      },
    },
  },
  dropoff: {
    rules: { required: "in-grouped-check", "non-null": "in-grouped-check", type: "in-grouped-check" },
  },
  "dropoff.text": {
    rules: {
      required: {
        id: "creation-bounds.dropoff-text-required",
        clauses: [clause["NEW-18"]],
      },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
    },
  },
  "dropoff.directions": { example: () => "3. kat", rules: { type: "in-grouped-check" } },
  "dropoff.neighborhood": { example: () => "Hobyar", rules: { type: "in-grouped-check" } },
  "dropoff.district": { example: () => "Fatih", rules: { type: "in-grouped-check" } },
  "dropoff.city": { example: () => "İstanbul", rules: { type: "in-grouped-check" } },
  "dropoff.lat": { rules: { type: { unspecified: "OPEN-88" } } },
  "dropoff.lng": { rules: { type: { unspecified: "OPEN-88" } } },
  payment: {
    rules: { required: "in-grouped-check", "non-null": "in-grouped-check", type: "in-grouped-check" },
  },
  "payment.type": {
    rules: {
      required: {
        id: "creation-bounds.payment-type-required",
        clauses: [clause["NEW-21"]],
      },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
    },
  },
  "payment.amount_due": {
    rules: {
      required: {
        id: "creation-bounds.payment-amount-due-required",
        clauses: [clause["NEW-23"]],
      },
      "non-null": "in-grouped-check",
      type: {
        id: "creation-bounds.payment-amount-due-type",
        clauses: [clause["NEW-24"]],
      },
    },
  },
  "payment.prepaid": {
    rules: {
      type: {
        id: "creation-bounds.payment-prepaid-type",
        clauses: [clause["NEW-26"]],
      },
    },
  },
  "payment.subtotal": {
    // Agrees with the amount due, because a server may refuse another one (OPEN-44).
    example: (_, body) => valueAt(body, ["payment", "amount_due"]),
    rules: {
      type: {
        id: "creation-bounds.payment-subtotal-type",
        clauses: [clause["NEW-27"]],
      },
    },
  },
  "payment.discount": {
    example: () => 0,
    rules: {
      type: {
        id: "creation-bounds.payment-discount-type",
        clauses: [clause["NEW-27"]],
      },
    },
  },
  items: {
    rules: {
      type: {
        id: "creation-bounds.items-type",
        clauses: [clause["NEW-28"]],
      },
      maxItems: {
        id: "creation-bounds.items-maxitems",
        clauses: [clause["NEW-29"]],
        accepted: clause["LIMIT-16"],
      },
    },
  },
  "items[].name": {
    rules: {
      required: { unspecified: "OPEN-47" },
      "non-null": { unspecified: "OPEN-47" },
      type: { unspecified: "OPEN-47" },
    },
  },
  "items[].quantity": {
    rules: {
      required: { unspecified: "OPEN-47" },
      "non-null": { unspecified: "OPEN-47" },
      type: { unspecified: "OPEN-47" },
      decimals: {
        id: "creation-bounds.items-quantity-decimals",
        clauses: [clause["NEW-32"]],
        accepted: clause["LIMIT-27"],
      },
      exponent: {
        id: "creation-bounds.items-quantity-exponent",
        clauses: [clause["NEW-32"]],
      },
    },
  },
  "items[].total": {
    rules: {
      required: { unspecified: "OPEN-47" },
      "non-null": { unspecified: "OPEN-47" },
      type: { unspecified: "OPEN-47" },
    },
  },
  "items[].code": { example: () => "CRB-1", rules: { type: { unspecified: "OPEN-47" } } },
  package_count: {
    example: () => 2,
    rules: {
      type: {
        id: "creation-bounds.package-count-type",
        clauses: [clause["NEW-35"]],
      },
      minimum: {
        id: "creation-bounds.package-count-minimum",
        clauses: [clause["NEW-33"]],
        accepted: clause["LIMIT-26"],
      },
      maximum: {
        id: "creation-bounds.package-count-maximum",
        clauses: [clause["NEW-34"]],
        accepted: clause["LIMIT-26"],
      },
    },
  },
  ready_at: {
    example: (now) => isoInstant(now + HOUR_MS / 2),
    rules: {
      type: "in-grouped-check",
      format: "in-grouped-check",
      zone: {
        id: "creation-bounds.ready-at-zone",
        clauses: [clause["GEN-10"]],
        unchanged: clause["GEN-13"],
        refusal: "4xx",
      },
    },
  },
  scheduled_for: {
    example: (now) => isoInstant(now + 3 * HOUR_MS),
    rules: {
      type: "in-grouped-check",
      format: "in-grouped-check",
      zone: {
        id: "creation-bounds.scheduled-for-zone",
        clauses: [clause["GEN-10"]],
        unchanged: clause["GEN-13"],
        refusal: "4xx",
      },
      ahead: {
        id: "creation-bounds.scheduled-for-ahead",
        clauses: [clause["NEW-39"]],
        accepted: clause["LIMIT-28"],
        refusal: "4xx",
      },
    },
  },
  require_pin: {
    example: () => true,
    rules: {
      type: {
        id: "creation-bounds.require-pin-type",
        clauses: [clause["NEW-45"]],
      },
    },
  },
  notes: {
    example: () => "Dikkatli olun",
    rules: {
      type: "in-grouped-check",
      maxLength: {
        id: "creation-bounds.notes-maxlength",
        clauses: [clause["NEW-43"]],
        accepted: clause["LIMIT-22"],
      },
    },
  },
  // The allowed values are unspecified (OPEN-48), so the valid request omits the field.
  origin_channel: {
    example: () => "POS",
    rules: {
      type: "in-grouped-check",
      maxLength: {
        id: "creation-bounds.origin-channel-maxlength",
        clauses: [clause["NEW-44"]],
        positiveControl: "without the field",
      },
    },
  },
  test: {
    example: () => false,
    rules: {
      type: { id: "creation-bounds.test-type", clauses: [clause["NEW-45"]] },
    },
  },
};
