import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import type { Check } from "../../check.ts";
import { near } from "../../support/orders/orders.ts";
import { expectQuote, quoteRequest } from "../../support/service-area.ts";
import { boundChecks, type FieldTable, groupedCheck, type Subject } from "../bounds/checks.ts";

const HOUR_MS = 3_600_000;

/** All fields of a quote request. The result of a coordinate that isn't a number is unspecified. */
export const quoteFields: FieldTable = {
  store: {
    rules: {
      required: { inCheckOf: clause["QUOTE-17"] },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
    },
  },
  "store.external_store_id": {
    rules: {
      required: { inCheckOf: clause["QUOTE-17"] },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
      maxLength: { unspecified: "OPEN-236" },
    },
  },
  dropoff: {
    rules: {
      required: { inCheckOf: clause["QUOTE-18"] },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
    },
  },
  "dropoff.lat": {
    rules: {
      required: { inCheckOf: clause["QUOTE-18"] },
      "non-null": { unspecified: "OPEN-63" },
      type: { unspecified: "OPEN-63" },
    },
  },
  "dropoff.lng": {
    rules: {
      required: { inCheckOf: clause["QUOTE-19"] },
      "non-null": { unspecified: "OPEN-63" },
      type: { unspecified: "OPEN-63" },
    },
  },
  ready_at: {
    example: (now) => isoInstant(now + HOUR_MS / 2),
    rules: {
      type: "in-grouped-check",
      format: "in-grouped-check",
      zone: {
        id: "quote-bounds.ready-at-zone",
        clauses: [clause["GEN-10"]],
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
        id: "quote-bounds.scheduled-for-zone",
        clauses: [clause["GEN-10"]],
        refusal: "4xx",
      },
    },
  },
};

const quote: Subject<Schemas["QuoteRequest"]> = {
  operation: "createQuote",
  table: quoteFields,
  async start({ api, store, point }) {
    return {
      body: quoteRequest(await store(), near(point)),
      refuse: (rule, body) => api.sendInvalid("createQuote", rule, { body }),
      // A quote has no effect.
      expectUnchanged: async () => {},
      accept: async (body) => expectQuote(await api.createQuote(body)),
    };
  },
};

const types = groupedCheck(
  quote,
  {
    id: "quote-bounds.types",
    title:
      "a quote with a field of a wrong type is refused with DOGRULAMA, and error.details contains the field",
    clauses: [clause["QUOTE-24"], clause["ERR-4"]],
    unchanged: clause["QUOTE-24"],
    violates: "bounds without their own check",
  },
  (response, { field }, { attributeTo }) => {
    attributeTo(clause["QUOTE-24"]);
    const { details } = response.expectError(400, "DOGRULAMA");
    attributeTo(clause["ERR-4"]);
    expectThat(
      { field: "error.details", where: `for an invalid ${field.name}` },
      JSON.stringify(details ?? null),
    ).includes(field.path.at(-1));
  },
);

export const quoteBoundsChecks: readonly Check[] = [...boundChecks(quote), types];
