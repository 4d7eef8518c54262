import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { DomainError, rejected } from "../../../reference-server/errors.ts";
import { compose } from "../mutants/operators/compose.ts";
import { alterProperty } from "../mutants/operators/documents.ts";
import { replaceOperation, respondWith } from "../mutants/operators/operations.ts";

/** OPEN-1: the media type must have no parameters. */
export const charsetRefused = (deps: Dependencies): Dependencies => ({
  ...deps,
  checkContentType(route, request) {
    if (request.headers["content-type"]?.includes(";")) throw new DomainError("ICERIK_TURU");
    deps.checkContentType(route, request);
  },
});

/** OPEN-46: an order needs a customer with a phone number. */
export const customerRequired = replaceOperation("createDelivery", (call, original) => {
  if (!call.body.customer?.phone) throw rejected("customer.phone", "zorunlu");
  return original(call);
});

/** OPEN-157: a cancellation needs a reason. */
export const reasonRequired = replaceOperation("cancelDelivery", (call, original) => {
  if (!call.body.reason) throw rejected("reason", "zorunlu");
  return original(call);
});

/** OPEN-162: a URL can only have one subscription at a time. */
export const oneSubscriptionPerUrl = replaceOperation("createWebhook", async (call, original) => {
  const known = await call.deps.records.webhooks.list(call.deps.database, call.integrator.id);
  if (known.some(({ status, url }) => status === "ACTIVE" && url === call.body.url)) {
    throw rejected("url", "zaten kayıtlı");
  }
  return original(call);
});

/** OPEN-112: an identifier consists of letters, digits and dashes. */
export const plainIdentifiers = replaceOperation("registerStore", (call, original) => {
  if (!/^[a-z0-9-]*$/i.test(call.body.external_store_id)) throw rejected("external_store_id", "biçim");
  return original(call);
});

const LONGEST_DESCRIPTION = 200;

/** OPEN-122: a subscription's URL is validated first, and a reserved name (RFC 2606) is invalid. */
export const validatesUrlFirst = compose(
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
export const stricterQuotes = replaceOperation("createQuote", async (call, original) => {
  const { status, body } = await original(call);
  if (body.reason === "MAGAZA_PASIF") throw new DomainError("MAGAZA_PASIF");
  const isAbroad = body.reason === "KONUM_GECERSIZ" && !isNoPlace(call.body.dropoff);
  return respondWith(status, isAbroad ? { ...body, reason: "HIZMET_DISI" } : body);
});

/**
 * OPEN-70: a delivery with a fee counts as quoted. OPEN-89: a change after the pick-up is refused with
 * KURYE_ALDI.
 */
export const stricterChanges = replaceOperation("updateDelivery", async (call, original) => {
  const { deps, integrator, path, body } = call;
  const before = await deps.records.deliveries.find(deps.database, integrator.id, path.id);
  if (before?.picked_up_at != null) throw new DomainError("KURYE_ALDI");
  const open = before && deps.lifecycle.states[before.status].final === false;
  if (open && body.scheduled_for !== undefined && before.fee !== null)
    throw new DomainError("PLAN_DEGISEMEZ");
  return original(call);
});

/** OPEN-119: the repetition of a pending creation is refused immediately. */
export function refusesConcurrentRepetitions(deps: Dependencies): Dependencies {
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
export function oneTokenPerIntegrator(deps: Dependencies): Dependencies {
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
export const toleratesExpiredTokens = (deps: Dependencies): Dependencies => ({
  ...deps,
  tokens: { ...deps.tokens, refusal: (holder, now) => deps.tokens.refusal(holder, now - LEEWAY_MS) },
});
