import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { isoInstant, wallClock } from "../../../core/clock.ts";
import { privateOperations } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import {
  alterDelivery,
  alterRateHeaders,
  alterRefusal,
  withBodyMembers,
  withMembers,
  wrongStatus,
} from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { aroundOperation, replaceOperation } from "../operators/operations.ts";

const NO_RATE_HEADERS = {
  "x-ratelimit-limit": undefined,
  "x-ratelimit-remaining": undefined,
  "x-ratelimit-reset": undefined,
};

const INTEGRATOR_LIMIT = 1200;

const withoutRateHeaders = (
  isAffected: (rateLimit: Parameters<Dependencies["limitHeaders"]>[0], status: number) => boolean,
): Mutate => alterRateHeaders((rateLimit, status) => (isAffected(rateLimit, status) ? NO_RATE_HEADERS : {}));

type OperationName = keyof Dependencies["operations"];

/** A server that encodes an operation's JSON, or declares its type, differently. */
const withBytes = (
  name: OperationName,
  write: (json: string) => Buffer,
  type = "application/json; charset=utf-8",
): Mutate =>
  aroundOperation(name, async (_, original) => {
    const reply = await original();
    return reply.body === undefined || Buffer.isBuffer(reply.body)
      ? reply
      : { ...reply, type, body: write(JSON.stringify(reply.body)) };
  });

const withByteOrderMark = (name: OperationName): Mutate =>
  withBytes(name, (json) => Buffer.from(`\ufeff${json}`));

const inTurkishTime = (time: string) =>
  new Date(Date.parse(time) + 3 * 3_600_000).toISOString().replace("Z", "+03:00");

export const passiveMutants: Mutants = {
  "rate-headers-missing-on-201": {
    fault: "a 201 lacks the rate headers",
    breaks: breaking(["registerStore", "createDelivery", "createWebhook"], "LIMIT-35"),
    mutate: withoutRateHeaders((_, status) => status === 201),
  },
  "rate-headers-missing-on-204": {
    fault: "a response without a body lacks the rate headers",
    breaks: [{ clause: "LIMIT-35", case: "deleteWebhook" }],
    mutate: withoutRateHeaders((_, status) => status === 204),
  },
  "rate-headers-missing-on-415": {
    fault: "a 415 lacks the rate headers",
    breaks: [{ clause: "LIMIT-36", case: "createDelivery" }],
    mutate: withoutRateHeaders((_, status) => status === 415),
  },
  "rate-headers-missing-without-token": {
    fault: "responses to requests without a token lack the rate headers",
    breaks: [
      { clause: "LIMIT-35", case: "getHealth" },
      { clause: "LIMIT-35", case: "obtainToken" },
    ],
    mutate: withoutRateHeaders(({ limit }) => limit !== INTEGRATOR_LIMIT),
  },
  "rate-headers-missing-on-401": {
    fault: "a 401 lacks the rate headers",
    breaks: [{ clause: "LIMIT-36", case: "listStores" }],
    mutate: withoutRateHeaders((_, status) => status === 401),
  },
  "rate-headers-missing-on-404": {
    fault: "a 404 lacks the rate headers, on known and unknown routes",
    breaks: [{ clause: "LIMIT-37" }, ...breaking(["getTracking", "getStore", "getDelivery"], "LIMIT-36")],
    mutate: withoutRateHeaders((_, status) => status === 404),
  },
  "rate-reset-is-a-time": {
    fault: "x-ratelimit-reset is a date and time instead of seconds",
    breaks: [{ clause: "LIMIT-38" }],
    mutate: alterRateHeaders(({ resetSeconds }) => ({
      "x-ratelimit-reset": isoInstant(wallClock() + resetSeconds * 1000),
    })),
  },
  "rate-remaining-below-zero": {
    fault: "x-ratelimit-remaining is -1 for requests without a token",
    breaks: breaking(["getHealth", "obtainToken", "listStores", "getTracking"], "LIMIT-38"),
    mutate: alterRateHeaders(({ limit }) =>
      limit === INTEGRATOR_LIMIT ? {} : { "x-ratelimit-remaining": "-1" },
    ),
  },
  "rate-limit-header-shows-the-limit-per-ip": {
    fault: "x-ratelimit-limit is always the limit per IP address",
    breaks: [{ clause: "LIMIT-39" }],
    mutate: alterRateHeaders(() => ({ "x-ratelimit-limit": "300" })),
  },
  "rate-limit-header-shows-the-limit-of-integrators": {
    fault: "x-ratelimit-limit is always the limit of an integrator",
    breaks: [{ clause: "LIMIT-46" }],
    mutate: alterRateHeaders(() => ({ "x-ratelimit-limit": "1200" })),
  },
  "error-body-is-flat": {
    fault: "an error body has code and message outside `error`",
    breaks: [{ clause: "ERR-1" }],
    mutate: alterRefusal(({ code, message }) => ({ code, message })),
  },
  "error-without-message": {
    fault: "a 404 has no message",
    breaks: breaking(["getTracking", "getStore", "getDelivery"], "ERR-1"),
    mutate: alterRefusal((failure, original) =>
      failure.code === "BULUNAMADI" ? { error: { code: failure.code } } : original(failure),
    ),
  },
  "error-message-is-empty": {
    fault: "the error message for a final delivery is empty",
    breaks: [{ clause: "ERR-2", case: "cancelDelivery" }],
    mutate: alterRefusal((failure, original) =>
      original(failure.code === "SON_DURUM" ? { ...failure, message: "" } : failure),
    ),
  },
  "refusals-as-text": {
    fault: "a 404 is in plain text",
    breaks: breaking(["getTracking", "getStore", "getDelivery"], "GEN-1"),
    mutate: alterRefusal((failure, original) =>
      failure.code === "BULUNAMADI" ? failure.message : original(failure),
    ),
  },
  "areas-as-text": {
    fault: "the list of delivery areas is plain text",
    breaks: [{ clause: "GEN-1", case: "listDeliveryAreas" }],
    mutate: replaceOperation("listDeliveryAreas", async (call, original) => {
      const reply = await original(call);
      const lines = reply.body.items.map(({ name, radius_m }) => `${name};${radius_m}`);
      return withMembers(reply, { body: Buffer.from(`name;radius\n${lines.join("\n")}`), type: "text/csv" });
    }),
  },
  "areas-declared-as-html": {
    fault: "the list of delivery areas is JSON declared as HTML",
    breaks: [{ clause: "GEN-16", case: "listDeliveryAreas" }],
    mutate: withBytes("listDeliveryAreas", (json) => Buffer.from(json), "text/html; charset=utf-8"),
  },
  "errors-declared-as-html": {
    fault: "a 404 is JSON declared as HTML",
    breaks: breaking(["getTracking", "getStore", "getDelivery"], "GEN-16"),
    mutate: alterRateHeaders((_, status) => (status === 404 ? { "content-type": "text/html" } : {})),
  },
  "responses-begin-with-a-byte-order-mark": {
    fault: "every JSON response begins with a byte order mark",
    breaks: breaking(
      [
        "registerStore",
        "listStores",
        "getStore",
        "listPaymentTypes",
        "listDeliveryAreas",
        "createQuote",
        "createDelivery",
        "getDelivery",
        "updateDelivery",
        "listDeliveries",
        "cancelDelivery",
        "listProofs",
        "createWebhook",
        "listWebhooks",
        "testWebhook",
        "rotateWebhookSecret",
      ],
      "GEN-1",
    ),
    mutate: compose(...privateOperations.map(({ id }) => withByteOrderMark(id))),
  },
  "quotes-begin-with-a-byte-order-mark": {
    fault: "the response to a quote begins with a byte order mark",
    breaks: [{ clause: "GEN-1", case: "createQuote" }],
    mutate: withByteOrderMark("createQuote"),
  },
  "stores-in-latin-1": {
    fault: "stores are encoded in Latin-1",
    breaks: [{ clause: "GEN-1", case: "listStores" }],
    mutate: withBytes("listStores", (json) => Buffer.from(json, "latin1")),
  },
  "store-has-a-duplicate-id-field": {
    fault: "a store has the field id twice",
    breaks: [{ clause: "GEN-15", case: "getStore" }],
    mutate: withBytes("getStore", (json) => Buffer.from(json.replace("{", '{"id":"",'))),
  },
  "cancel-reason-ends-in-a-lone-surrogate": {
    fault: "cancel_reason ends in a lone surrogate",
    breaks: [
      { clause: "GEN-15", case: "cancelDelivery" },
      { clause: "GEN-15", case: "getDelivery" },
    ],
    mutate: alterDelivery(({ cancel_reason }) =>
      cancel_reason ? { cancel_reason: `${cancel_reason}\ud83c` } : {},
    ),
  },
  "rate-reset-in-milliseconds": {
    fault: "x-ratelimit-reset is in milliseconds",
    breaks: [{ clause: "LIMIT-44" }],
    mutate: alterRateHeaders(({ resetSeconds }) => ({
      "x-ratelimit-reset": String(Math.round(resetSeconds * 1000)),
    })),
  },
  "rate-reset-is-unix-milliseconds": {
    fault: "x-ratelimit-reset is a Unix time in milliseconds",
    breaks: [{ clause: "LIMIT-44" }],
    mutate: alterRateHeaders(({ resetSeconds }) => ({
      "x-ratelimit-reset": String(Math.round(wallClock() + resetSeconds * 1000)),
    })),
  },
  "bad-cursor-answers-500": {
    fault: "a malformed cursor returns 500",
    breaks: [{ clause: "ERR-29", case: "listDeliveries" }],
    mutate: (deps) => ({
      ...deps,
      cursor: {
        ...deps.cursor,
        decode: (text) => {
          const position = deps.cursor.decode(text);
          if (position === undefined) throw new RangeError("malformed cursor");
          return position;
        },
      },
    }),
  },
  "bad-cursor-answers-410": {
    fault: "a malformed cursor returns 410",
    breaks: [{ clause: "ERR-12" }],
    caughtBy: ["passive.code-imlec-gecersiz"],
    ...wrongStatus("IMLEC_GECERSIZ", 410),
  },
  "missing-code-answers-409": {
    fault: "a first registration without a pairing code returns 409",
    breaks: [{ clause: "ERR-10" }],
    ...wrongStatus("ESLEME_KODU_GEREKLI", 409),
  },
  "wrong-code-answers-404": {
    fault: "a wrong pairing code returns 404",
    breaks: [{ clause: "ERR-11" }],
    ...wrongStatus("ESLEME_KODU_GECERSIZ", 404),
  },
  "suspended-store-answers-403": {
    fault: "an order for a suspended store returns 403",
    breaks: [{ clause: "ERR-19" }],
    ...wrongStatus("MAGAZA_PASIF", 403),
  },
  "final-delivery-answers-400": {
    fault: "cancelling a final delivery returns 400",
    breaks: [{ clause: "ERR-21" }],
    ...wrongStatus("SON_DURUM", 400),
  },
  "bound-elsewhere-answers-403": {
    fault: "registering another integrator's restaurant returns 403",
    breaks: [{ clause: "ERR-23" }],
    ...wrongStatus("BASKA_POS", 403),
  },
  "invalid-client-answers-400": {
    fault: "wrong client credentials return 400, as OAuth 2.0 allows",
    breaks: [{ clause: "TOKEN-5" }, { clause: "TOKEN-6" }, { clause: "ERR-13" }],
    caughtBy: ["passive.invalid-client", "tokens.wrong-credentials"],
    ...wrongStatus("invalid_client", 400),
  },
  "unknown-token-is-invalid-client": {
    fault: "a request without a token returns invalid_client",
    breaks: [{ clause: "ERR-13" }],
    mutate: alterRefusal((failure, original) =>
      original(failure.code === "KIMLIK_YOK" ? { ...failure, code: "invalid_client" } : failure),
    ),
  },
  "cancelled-at-with-offset": {
    fault: "cancelled_at is in Turkish time, with its offset",
    breaks: breaking(["createDelivery", "cancelDelivery", "getDelivery"], "GEN-14"),
    caughtBy: ["passive.times-in-utc"],
    mutate: alterDelivery(({ cancelled_at }) => ({
      cancelled_at: cancelled_at && inTurkishTime(cancelled_at),
    })),
  },
  "assigned-at-without-zone": {
    fault: "assigned_at has no zone while the courier has the package",
    breaks: [{ clause: "GEN-14", case: "getDelivery" }],
    caughtBy: ["passive.times-in-utc"],
    mutate: alterDelivery(({ assigned_at, picked_up_at }) => ({
      assigned_at: picked_up_at ? assigned_at?.replace("Z", "") : assigned_at,
    })),
  },
  "quote-times-without-zone": {
    fault: "expires_at of a quote has no zone",
    breaks: [{ clause: "GEN-14", case: "createQuote" }],
    caughtBy: ["passive.times-in-utc"],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        quote: (quote) => {
          const view = deps.views.quote(quote);
          return withMembers(view, { expires_at: String(view.expires_at).replace("Z", "") });
        },
      },
    }),
  },
  "delivery-package-count-is-text": {
    fault: "package_count is a string",
    breaks: [{ clause: "DLV-1" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        delivery: (current, delivery) =>
          withMembers(deps.views.delivery(current, delivery), {
            package_count: `${delivery.package_count}`,
          }),
      },
    }),
  },
  "store-latitude-is-text": {
    fault: "lat of a store is a string",
    breaks: [{ clause: "STORE-1" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        store: (store) => withMembers(deps.views.store(store), { lat: `${store.lat}` }),
      },
    }),
  },
  "quote-serviceable-is-text": {
    fault: "serviceable is the string `yes` or `no`",
    breaks: [{ clause: "QUOTE-1" }],
    mutate: replaceOperation("createQuote", async (call, original) => {
      const reply = await original(call);
      return withBodyMembers(reply, { serviceable: reply.body.serviceable ? "yes" : "no" });
    }),
  },
  "quote-couriers-are-null": {
    fault: "couriers_on_shift of a quote is null",
    breaks: [{ clause: "QUOTE-25" }],
    mutate: replaceOperation("createQuote", async (call, original) =>
      withBodyMembers(await original(call), { couriers_on_shift: null }),
    ),
  },
  "quote-without-expiry": {
    fault: "expires_at of a quote is null",
    breaks: [{ clause: "QUOTE-25" }],
    mutate: replaceOperation("createQuote", async (call, original) =>
      withBodyMembers(await original(call), { expires_at: null }),
    ),
  },
  "area-radius-is-text": {
    fault: "radius_m is a string with a unit",
    breaks: [{ clause: "AREA-1" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        area: (store) => withMembers(deps.views.area(store), { radius_m: `${store.settings.radius_m} m` }),
      },
    }),
  },
};
