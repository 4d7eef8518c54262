import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { DomainError, rejected } from "../../../reference-server/errors.ts";
import { alterDelivery } from "../mutants/operators/answers.ts";
import { compose } from "../mutants/operators/compose.ts";
import { alterProperty } from "../mutants/operators/documents.ts";
import { replaceOperation, respondWith } from "../mutants/operators/operations.ts";
import { alterAttemptRequests, rememberFirst } from "../mutants/operators/webhooks.ts";
import { slidingWindows } from "./limits.ts";
import type { Rewrite } from "./proxy.ts";
import { inSequence, limitWithPolicy, withInterimResponse } from "./response-rewrites.ts";
import { otherSchedules } from "./schedules.ts";
import type { Variant } from "./variant.ts";

/** OPEN-183: a 401 has a WWW-Authenticate header. */
const withChallengeHeader: Rewrite = ({ status, headers }) => {
  if (status === 401) headers["www-authenticate"] = 'Bearer realm="kurye"';
};

/** OPEN-167: a retry is signed with the secret of its first attempt. */
function oldSecretsForRetries(deps: Dependencies): Dependencies {
  const first = rememberFirst<string>();
  return alterAttemptRequests(({ headers }) => ({
    headers: (all, dispatch, secret, now) => headers(all, dispatch, first(dispatch, secret), now),
  }))(deps);
}

/** Cursors of 500 characters. */
const longCursors = (deps: Dependencies): Dependencies => ({
  ...deps,
  cursor: {
    encode: (place) => `${deps.cursor.encode(place)}~`.padEnd(500, "0"),
    decode: (text) => deps.cursor.decode(text.split("~")[0] ?? ""),
  },
});

/** OPEN-1: the media type must have no parameters. */
const charsetRefused = (deps: Dependencies): Dependencies => ({
  ...deps,
  checkContentType(route, request) {
    if (request.headers["content-type"]?.includes(";")) throw new DomainError("ICERIK_TURU");
    deps.checkContentType(route, request);
  },
});

/** OPEN-46: an order needs a customer with a phone number. */
const customerRequired = replaceOperation("createDelivery", (call, original) => {
  if (!call.body.customer?.phone) throw rejected("customer.phone", "zorunlu");
  return original(call);
});

/** The most that a courier collects. */
const MOST_DUE = 5_000;

/** OPEN-41: an order with nothing due is prepaid, and one with much due is refused. OPEN-44: the sums agree. */
const boundedAmounts = replaceOperation("createDelivery", (call, original) => {
  const { amount_due, prepaid, subtotal, discount = 0 } = call.body.payment;
  if (amount_due === 0 && prepaid !== true) throw rejected("payment.amount_due", "sıfır olamaz");
  if (amount_due > MOST_DUE) throw rejected("payment.amount_due", "çok yüksek");
  const due = subtotal === undefined ? amount_due : subtotal - discount;
  if (Math.abs(due - amount_due) > 0.001) throw rejected("payment.subtotal", "tutarlar uyuşmuyor");
  return original(call);
});

/** OPEN-157: a cancellation needs a reason. */
const reasonRequired = replaceOperation("cancelDelivery", (call, original) => {
  if (!call.body.reason) throw rejected("reason", "zorunlu");
  return original(call);
});

/** OPEN-162: a URL can only have one subscription at a time. */
const oneSubscriptionPerUrl = replaceOperation("createWebhook", async (call, original) => {
  const known = await call.deps.records.webhooks.list(call.deps.database, call.integrator.id);
  if (known.some(({ status, url }) => status === "ACTIVE" && url === call.body.url)) {
    throw rejected("url", "zaten kayıtlı");
  }
  return original(call);
});

/** OPEN-29: a reference consists of letters, digits and dashes. */
const plainReferences = replaceOperation("createDelivery", (call, original) => {
  if (!/^[a-z0-9-]*$/i.test(call.body.external_ref)) throw rejected("external_ref", "biçim");
  return original(call);
});

/** OPEN-112: an identifier consists of letters, digits and dashes. */
const plainIdentifiers = replaceOperation("registerStore", (call, original) => {
  if (!/^[a-z0-9-]*$/i.test(call.body.external_store_id)) throw rejected("external_store_id", "biçim");
  return original(call);
});

const LONGEST_DESCRIPTION = 200;

/** OPEN-122: a subscription's URL is validated first, and a reserved name (RFC 2606) is invalid. */
const validatesUrlFirst = compose(
  alterProperty("NewWebhook", "description", { maxLength: undefined }),
  replaceOperation("createWebhook", async (call, original) => {
    const { url, description } = call.body;
    if (new URL(url).hostname.endsWith(".example")) throw rejected("url", "adres bulunamadı");
    if (description && [...description].length > LONGEST_DESCRIPTION)
      throw rejected("description", "çok uzun");
    return original(call);
  }),
);

const isNoPlace = ({ lat, lng }: { readonly lat: number; readonly lng: number }) => lat === 0 && lng === 0;

/**
 * OPEN-64: no quotes for a suspended store, with the error of a creation. OPEN-62: a point abroad is too far
 * away.
 */
const stricterQuotes = replaceOperation("createQuote", async (call, original) => {
  const { status, body } = await original(call);
  if (body.reason === "MAGAZA_PASIF") throw new DomainError("MAGAZA_PASIF");
  const isAbroad = body.reason === "KONUM_GECERSIZ" && !isNoPlace(call.body.dropoff);
  return respondWith(status, isAbroad ? { ...body, reason: "HIZMET_DISI" } : body);
});

/**
 * OPEN-70: a delivery with a fee counts as quoted. OPEN-89: a change after the pick-up is refused with
 * KURYE_ALDI.
 */
const stricterChanges = replaceOperation("updateDelivery", async (call, original) => {
  const { deps, integrator, path, body } = call;
  const before = await deps.records.deliveries.find(deps.database, integrator.id, path.id);
  if (before?.picked_up_at != null) throw new DomainError("KURYE_ALDI");
  const open = before && deps.lifecycle.states[before.status].final === false;
  if (open && body.scheduled_for !== undefined && before.fee !== null)
    throw new DomainError("PLAN_DEGISEMEZ");
  return original(call);
});

/** OPEN-119: the repetition of a pending creation is refused immediately. */
function refusesConcurrentRepetitions(deps: Dependencies): Dependencies {
  const pending = new Set<string>();
  return replaceOperation("createDelivery", async (call, original) => {
    const key = `${call.integrator.id} ${call.headers["Idempotency-Key"]}`;
    if (pending.has(key)) throw new DomainError("IDEMPOTENCY_CAKISMA");
    pending.add(key);
    try {
      return await original(call);
    } finally {
      pending.delete(key);
    }
  })(deps);
}

/** OPEN-100: a new token invalidates earlier tokens. */
function oneTokenPerIntegrator(deps: Dependencies): Dependencies {
  const { tokens } = deps.records;
  return {
    ...deps,
    records: {
      ...deps.records,
      tokens: {
        ...tokens,
        async insert(db, row, now) {
          await db.deleteFrom("tokens").where("integrator_id", "=", row.integrator_id).execute();
          await tokens.insert(db, row, now);
        },
      },
    },
  };
}

/** The time for which an expired token remains valid. */
const LEEWAY_MS = 60_000;

/** OPEN-184: tokens expire with a tolerance. */
const toleratesExpiredTokens = (deps: Dependencies): Dependencies => ({
  ...deps,
  tokens: { ...deps.tokens, refusal: (holder, now) => deps.tokens.refusal(holder, now - LEEWAY_MS) },
});

/** The control interface wants every step of the courier's way. */
const eachCourierActionInTurn = (deps: Dependencies): Dependencies => {
  const { transitions } = deps.lifecycle;
  const atTheDoor = { from: ["ARRIVED"] } as const;
  return {
    ...deps,
    lifecycle: {
      ...deps.lifecycle,
      transitions: {
        ...transitions,
        picked_up: { ...transitions.picked_up, from: ["AT_PICKUP"] },
        delivered: { ...transitions.delivered, ...atTheDoor },
        failed: { ...transitions.failed, ...atTheDoor },
        returning: { ...transitions.returning, ...atTheDoor },
      },
    },
  };
};

/** A service that refuses what others accept. */
export const strict: Variant = {
  choices: {
    "OPEN-1": "a content type with a charset is refused",
    "OPEN-2": "415 with an empty body",
    "OPEN-29": "references may only have letters, digits and dashes",
    "OPEN-31": "a new delivery with coordinates has version 2",
    "OPEN-41": "an order with nothing due has to be prepaid, and more than 5,000 is refused",
    "OPEN-43": "the sums have to agree",
    "OPEN-46": "the customer is required",
    "OPEN-62": "a place abroad is reported as too far",
    "OPEN-64": "a quote for an inactive store is refused with 409",
    "OPEN-70": "the schedule can't be changed once the delivery has a fee",
    "OPEN-75": "closed subscriptions aren't listed",
    "OPEN-76": "failing_since is set at the last failed attempt of an event",
    "OPEN-89": "a PATCH of a delivery that was picked up is always refused with KURYE_ALDI",
    "OPEN-100": "a new token invalidates earlier ones",
    "OPEN-112": "identifiers may only have letters, digits and dashes",
    "OPEN-119": "a repetition is refused while the first request is in progress",
    "OPEN-122": "a subscription's url is validated before its other fields",
    "OPEN-157": "a reason for the cancellation is required",
    "OPEN-162": "a url can have one open subscription at a time",
    "OPEN-167": "a retry is signed with the secret of its first attempt",
    "OPEN-178": "all refused tokens get the same code",
    "OPEN-183": "401 has a www-authenticate header",
    "OPEN-184": "tokens are accepted for another minute after their expiry",
    "OPEN-187": "the body of a retry is serialised again",
    "OPEN-191": "retry delays have jitter",
    "OPEN-194": "the five days start at the last failed attempt of an event",
    "OPEN-195": "reopening an endpoint creates a new subscription",
    "OPEN-223": "limits are sliding windows",
  },
  otherDifferences: [
    "cursors have 500 characters, and an interim response 103 precedes each response",
    "x-ratelimit-limit lists a policy after the limit",
    "each courier action needs the action before it, so a return begins at the customer's door",
  ],
  warnings: [
    "authentication.expired-token-code",
    "authentication.malformed-token-code",
    "authentication.missing-token-code",
    "authentication.older-token",
    "content-type.charset",
    "creation.required-fields-alone",
    "quotes.unlocated-reason",
    "subscriptions.rotation-signs-retries",
  ],
  mutate: compose(
    slidingWindows,
    longCursors,
    customerRequired,
    boundedAmounts,
    reasonRequired,
    validatesUrlFirst,
    oneSubscriptionPerUrl,
    plainReferences,
    plainIdentifiers,
    stricterQuotes,
    stricterChanges,
    refusesConcurrentRepetitions,
    oneTokenPerIntegrator,
    toleratesExpiredTokens,
    oldSecretsForRetries,
    otherSchedules,
    charsetRefused,
    eachCourierActionInTurn,
    alterDelivery(({ version }, { dropoff }) => ({
      version: dropoff.point === null ? version : version + 1,
    })),
  ),
  rewrite: inSequence(
    (response) => {
      if (response.status !== 415) return;
      response.json = undefined;
      response.bytes = Buffer.alloc(0);
    },
    (response) => {
      if (response.status !== 401 || response.path === "/oauth/token") return;
      response.json = { error: { code: "OTURUM_GECERSIZ", message: "Oturum geçersiz" } };
    },
    withChallengeHeader,
    limitWithPolicy,
    withInterimResponse(103),
  ),
};
