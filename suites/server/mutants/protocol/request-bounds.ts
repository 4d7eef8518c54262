import { rejected } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { alterProperty, makeOptional } from "../operators/documents.ts";
import { replaceOperation } from "../operators/operations.ts";

/** A value of any type instead of the document's time. */
const anything = { $ref: undefined, type: undefined };
const anyText = { $ref: undefined, type: "string" };

const textOr = <T>(value: unknown, otherwise: T): string | T =>
  typeof value === "string" ? value : otherwise;

export const requestBoundsMutants: Mutants = {
  "quote-ready-at-without-zone-accepted": {
    fault: "a quote accepts a ready_at without a time zone",
    breaks: [{ clause: "GEN-10" }],
    caughtBy: ["quote-bounds.ready-at-zone"],
    mutate: alterProperty("QuoteRequest", "ready_at", anyText),
  },
  "quote-schedule-without-zone-accepted": {
    fault: "a quote accepts a scheduled_for without a time zone",
    breaks: [{ clause: "GEN-10" }],
    caughtBy: ["quote-bounds.scheduled-for-zone"],
    mutate: alterProperty("QuoteRequest", "scheduled_for", anyText),
  },
  "quote-of-any-times-accepted": {
    fault: "a quote ignores an invalid ready_at",
    breaks: breaking(["ready_at that is an object", "ready_at that isn't a time"], "QUOTE-24"),
    mutate: compose(
      alterProperty("QuoteRequest", "ready_at", anything),
      replaceOperation("createQuote", (call, original) => {
        const { ready_at, ...body } = call.body;
        const isTime = !Number.isNaN(Date.parse(textOr(ready_at, "")));
        return original({
          ...call,
          body: { ...body, ...(isTime && ready_at !== undefined && { ready_at }) },
        });
      }),
    ),
  },
  "quote-for-any-store-accepted": {
    fault: "a quote with a null store is issued for the integrator's first store",
    breaks: breaking(
      [
        "store that is null",
        "store that is a string",
        "store.external_store_id that is null",
        "store.external_store_id that is an object",
      ],
      "QUOTE-24",
    ),
    mutate: compose(
      makeOptional("StoreRef", "external_store_id"),
      alterProperty("QuoteRequest", "store", anything),
      replaceOperation("createQuote", async (call, original) => {
        const [first] = await call.deps.records.stores.list(call.deps.database, call.integrator.id);
        const external_store_id = call.body.store?.external_store_id ?? first?.external_store_id ?? "";
        return original({ ...call, body: { ...call.body, store: { external_store_id } } });
      }),
    ),
  },
  "quote-error-without-field": {
    fault: "the error for a quote with an invalid time doesn't name the field",
    breaks: [{ clause: "ERR-4", case: "ready_at that isn't a time" }],
    caughtBy: ["quote-bounds.types"],
    mutate: compose(
      alterProperty("QuoteRequest", "ready_at", anyText),
      replaceOperation("createQuote", (call, original) => {
        const { ready_at } = call.body;
        if (ready_at !== undefined && Number.isNaN(Date.parse(ready_at))) throw rejected("body", "geçersiz");
        return original(call);
      }),
    ),
  },
  "webhook-description-of-any-type-accepted": {
    fault: "a subscription's description of the wrong type is ignored",
    breaks: [{ clause: "HOOK-38", case: "description that is an object" }],
    mutate: compose(
      alterProperty("NewWebhook", "description", { type: undefined }),
      replaceOperation("createWebhook", (call, original) => {
        const { description, ...body } = call.body;
        const text = textOr(description, undefined);
        return original({ ...call, body: { ...body, ...(text !== undefined && { description: text }) } });
      }),
    ),
  },
  "webhook-kinds-of-any-type-accepted": {
    fault: "event_types of the wrong type is ignored",
    breaks: [{ clause: "HOOK-38", case: "event_types that is a number" }],
    mutate: compose(
      alterProperty("NewWebhook", "event_types", { type: undefined }),
      replaceOperation("createWebhook", (call, original) => {
        const { event_types } = call.body;
        return original({
          ...call,
          body: {
            ...call.body,
            event_types: Array.isArray(event_types) ? event_types : ["delivery.created"],
          },
        });
      }),
    ),
  },
  "reason-of-any-type-accepted": {
    fault: "a cancellation's reason may have any type",
    breaks: [{ clause: "CANCEL-7" }],
    mutate: compose(
      alterProperty("Cancellation", "reason", { type: undefined }),
      replaceOperation("cancelDelivery", (call, original) => {
        const { reason } = call.body;
        return original({ ...call, body: { reason: textOr(reason, JSON.stringify(reason)) } });
      }),
    ),
  },
  "reason-refused-too-late": {
    fault: "a cancellation with an invalid reason is refused, but carried out",
    breaks: [{ clause: "CANCEL-7" }],
    mutate: compose(
      alterProperty("Cancellation", "reason", { type: undefined }),
      replaceOperation("cancelDelivery", async (call, original) => {
        const { reason } = call.body;
        const reply = await original({ ...call, body: { reason: textOr(reason, "") } });
        if (reason !== undefined && typeof reason !== "string") throw rejected("reason", "metin olmalı");
        return reply;
      }),
    ),
  },
  "secret-of-any-type-accepted": {
    fault: "an object is accepted as the client_secret",
    breaks: [{ clause: "TOKEN-10", case: "client_secret that is an object" }],
    mutate: compose(alterProperty("TokenRequest", "client_secret", { type: undefined }), (deps) => ({
      ...deps,
      credentials: {
        ...deps.credentials,
        matches: (secret, hash) => typeof secret !== "string" || deps.credentials.matches(secret, hash),
      },
    })),
  },
};
