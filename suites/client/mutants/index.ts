import { isoInstant, wallClock } from "../../core/clock.ts";
import { backoff, CORRECT_BEHAVIOUR, isTransient } from "../reference-client/behaviour.ts";
import { drawnMutant } from "./drawn-waits.ts";
import { elementClients } from "./element-clients.ts";
import type { ClientMutant } from "./mutant.ts";

const UTC_SUFFIX = /Z$/;

export const clientMutants: Readonly<Record<string, ClientMutant>> = {
  "calls-before-token": {
    fault: "calls without a token, and gets one after a 401",
    caughtBy: ["tokens.exchanged-first"],
    behaviour: { callsBeforeToken: true },
  },
  "other-scheme": {
    fault: "sends its token as `Authorization: Token …`",
    caughtBy: ["tokens.bearer-header"],
    behaviour: { scheme: "Token" },
  },
  "token-per-request": {
    fault: "gets a token for each request",
    caughtBy: ["tokens.reused"],
    behaviour: { tokenPer: "try" },
  },
  "token-per-order": {
    fault: "gets a token for each order, and reuses it for that order's retries",
    caughtBy: ["tokens.reused"],
    behaviour: { tokenPer: "order" },
  },
  "token-per-page": {
    fault: "gets a token for each page of the list",
    caughtBy: ["tokens.reused"],
    behaviour: { tokenPer: "page" },
  },
  "keeps-expired-token": {
    fault: "repeats a call with the token that was refused",
    caughtBy: ["refusals.unauthorised", "tokens.renewed"],
    behaviour: { tokensPerRenewal: 0 },
  },
  "form-token-request": {
    fault: "requests its token with a form",
    caughtBy: ["bodies.content-type"],
    behaviour: { tokenForm: "form" },
  },
  "undeclared-bodies": {
    fault: "sends bodies without a Content-Type",
    caughtBy: ["bodies.content-type"],
    behaviour: { contentType: undefined },
  },
  "times-without-zone": {
    fault: "sends times without a zone",
    caughtBy: ["times.zoned"],
    behaviour: {
      order: (order) => ({ ...order, ready_at: isoInstant(wallClock()).replace(UTC_SUFFIX, "") }),
    },
  },
  "store-without-coordinates": {
    fault: "registers its store without coordinates",
    caughtBy: ["stores.coordinates"],
    behaviour: {
      registration: { ...CORRECT_BEHAVIOUR.registration, address: { text: "Moda Caddesi 10, Kadıköy" } },
    },
  },
  "store-without-name": {
    fault: "registers its store without its name",
    caughtBy: ["bodies.other-schemas"],
    behaviour: { registration: { ...CORRECT_BEHAVIOUR.registration, name: undefined } },
  },
  "no-key": {
    fault: "creates without an Idempotency-Key",
    caughtBy: ["orders.key"],
    behaviour: { key: () => undefined },
  },
  "short-keys": {
    fault: "creates with keys of 6 characters",
    caughtBy: ["orders.key"],
    behaviour: { key: (forOrder) => forOrder.slice(0, 6) },
  },
  "one-key-for-all": {
    fault: "uses one key for every order",
    caughtBy: ["orders.new-key"],
    behaviour: { key: () => "the-key-of-this-till" },
  },
  "zero-coordinates": {
    fault: "sends 0,0 where it knows no coordinates",
    caughtBy: ["orders.no-zero-point"],
    behaviour: { order: (order) => ({ ...order, dropoff: { lat: 0, lng: 0, ...order.dropoff } }) },
  },
  "amount-as-text": {
    fault: "sends amounts as text",
    caughtBy: ["orders.schema"],
    behaviour: {
      order: (order) => ({ ...order, payment: { ...order.payment, amount_due: "120.50" } }),
    },
  },
  "null-for-required": {
    fault: "sends null where it has no amount to collect",
    caughtBy: ["orders.schema"],
    behaviour: { order: (order) => ({ ...order, payment: { ...order.payment, amount_due: null } }) },
  },
  "unlisted-payment-code": {
    fault: "sends a payment code that isn't in the list",
    caughtBy: ["orders.schema"],
    behaviour: { order: (order) => ({ ...order, payment: { ...order.payment, type: "CASH" } }) },
  },
  "compressed-bodies": {
    fault: "compresses the bodies of its requests",
    caughtBy: ["orders.schema"],
    behaviour: { compresses: true },
  },
  "quantities-unrounded": {
    fault: "sends quantities with too many decimals",
    caughtBy: ["orders.schema"],
    behaviour: {
      order: (order) => ({ ...order, items: order.items.map((item) => ({ ...item, quantity: 2 / 3 })) }),
    },
  },
  "limit-too-high": {
    fault: "requests pages of 500 deliveries",
    caughtBy: ["bodies.other-schemas"],
    behaviour: { pageSize: 500 },
  },
  "no-retry-on-network-errors": {
    fault: "gives up if the connection breaks",
    caughtBy: ["retries.network-error"],
    behaviour: { repeats: (reply) => reply !== undefined && isTransient(reply) },
  },
  "no-retry-on-429": {
    fault: "gives up an order on 429",
    caughtBy: ["retries.rate-limit"],
    behaviour: { repeats: (reply) => reply?.status !== 429 && isTransient(reply) },
  },
  "ignores-retry-after": {
    fault: "ignores retry-after",
    caughtBy: ["retries.retry-after"],
    behaviour: { wait: backoff },
  },
  "ignores-retry-after-elsewhere": {
    fault: "honours retry-after for orders only",
    caughtBy: ["retries.retry-after"],
    behaviour: {
      wait: (failures, reply, kind) =>
        Math.max(backoff(failures), kind === "order" ? (reply?.retryAfter ?? 0) : 0),
    },
  },
  "no-retry-on-5xx": {
    fault: "gives up an order on 5xx",
    caughtBy: ["retries.server-error"],
    behaviour: { repeats: (reply) => reply === undefined || reply.status === 429 },
  },
  "stumbles-over-html": {
    fault: "gives up an order on a 5xx whose body isn't JSON",
    caughtBy: ["retries.server-error"],
    behaviour: {
      repeats: (reply) => isTransient(reply) && (reply === undefined || reply.code !== undefined),
    },
  },
  "retries-at-once": {
    fault: "retries without waiting",
    caughtBy: ["backoff.grows"],
    behaviour: { wait: (_, reply) => reply?.retryAfter ?? 0 },
  },
  "retries-once-at-once": {
    fault: "retries once, without waiting",
    caughtBy: ["backoff.grows"],
    behaviour: { wait: (_, reply) => reply?.retryAfter ?? 0, tries: 2 },
  },
  "retries-other-calls-at-once": {
    fault: "waits before retries of orders only",
    caughtBy: ["backoff.grows"],
    behaviour: {
      wait: (failures, reply, kind) =>
        Math.max(kind === "order" ? backoff(failures) : 0, reply?.retryAfter ?? 0),
      tries: 3,
    },
  },
  "constant-wait": {
    fault: "waits equally long before every retry",
    caughtBy: ["backoff.grows"],
    behaviour: drawnMutant("constant"),
  },
  "grows-by-a-second": {
    fault: "adds the same time to each wait instead of doubling it",
    caughtBy: ["backoff.grows"],
    behaviour: drawnMutant("linear"),
  },
  "grows-slowly": {
    fault: "lengthens its waits by half or less each time",
    caughtBy: ["backoff.grows"],
    behaviour: drawnMutant("slow factor"),
  },
  "stops-growing": {
    fault: "waits at most two and a half seconds",
    caughtBy: ["backoff.grows"],
    behaviour: drawnMutant("low limit"),
  },
  "starts-below-a-second": {
    fault: "doubles its waits, starting with a fraction of a second",
    caughtBy: ["backoff.grows"],
    behaviour: drawnMutant("short base"),
  },
  "starts-at-five-seconds": {
    fault: "doubles its waits, starting with five seconds",
    caughtBy: ["backoff.grows"],
    behaviour: {
      wait: (failures, reply) => Math.max(Math.min(5 * backoff(failures), 60), reply?.retryAfter ?? 0),
      tries: 3,
    },
  },
  "waits-a-minute-each-time": {
    fault: "waits a minute before every retry",
    caughtBy: ["backoff.grows"],
    behaviour: { wait: () => 60, tries: 2 },
  },
  "no-wait-after-network-errors": {
    fault: "waits after an error response, but not after a broken connection",
    caughtBy: ["backoff.grows"],
    behaviour: {
      keepAlive: false,
      tries: 5,
      wait: (failures, reply) =>
        reply === undefined ? 0 : Math.max(backoff(failures), reply.retryAfter ?? 0),
    },
  },
  "uncapped-backoff": {
    fault: "doubles its waits beyond a minute",
    caughtBy: ["backoff.capped"],
    behaviour: { wait: (failures, reply) => Math.max(2 ** (failures - 1), reply?.retryAfter ?? 0) },
  },
  "takes-a-replay-for-an-error": {
    fault: "sends an order again with another key if its retry gets 200",
    caughtBy: ["retries.answered-replay"],
    behaviour: { sendsAnew: (reply) => reply?.status === 200 },
  },
  "new-key-for-a-taken-reference": {
    fault: "sends an order again with another key if its number is taken",
    caughtBy: ["refusals.other-4xx"],
    behaviour: { sendsAnew: (reply) => reply?.code === "EXTERNAL_REF_TEKRAR" },
  },
  "new-key-on-retry": {
    fault: "creates a new key for each attempt",
    caughtBy: ["retries.same-key"],
    behaviour: { key: (forOrder, forTry, reason) => (reason === "failure" ? forTry : forOrder) },
  },
  "other-body-on-retry": {
    fault: "computes a new time for each attempt",
    caughtBy: ["retries.same-body"],
    behaviour: {
      order: (order, attempt) => ({ ...order, ready_at: isoInstant(wallClock() + attempt * 60_000) }),
    },
  },
  "new-order-on-retry": {
    fault: "gives an order a new number for each attempt",
    caughtBy: ["retries.one-delivery"],
    behaviour: {
      key: (_, forTry) => forTry,
      order: (order, attempt) => ({ ...order, external_ref: `${order.external_ref}-${attempt}` }),
    },
  },
  "impatient-with-new-key": {
    fault: "sends an order again with another key if the response is slow",
    caughtBy: ["retries.slow-response"],
    behaviour: { timeout: 3, key: (_, forTry) => forTry },
  },
  "gives-up-on-401": {
    fault: "gives up an order on 401",
    caughtBy: ["refusals.unauthorised"],
    behaviour: { renewals: () => 0 },
  },
  "renews-expired-tokens-only": {
    fault: "gets a new token on SURESI_DOLDU, and gives up on any other 401",
    caughtBy: ["refusals.unauthorised"],
    behaviour: { renewals: (_, code) => (code === "SURESI_DOLDU" ? 1 : 0) },
  },
  "two-tokens-on-401": {
    fault: "gets two tokens after one was refused",
    caughtBy: ["refusals.unauthorised"],
    behaviour: { tokensPerRenewal: 2 },
  },
  "new-key-on-401": {
    fault: "creates a new key after a 401",
    caughtBy: ["refusals.key-after-401"],
    behaviour: { key: (forOrder, forTry, reason) => (reason === "unauthorised" ? forTry : forOrder) },
  },
  "endless-on-401": {
    fault: "gets a new token for each 401, without a limit",
    caughtBy: ["refusals.second-401"],
    behaviour: { renewals: () => 20 },
  },
  "retries-any-error": {
    fault: "retries after any refusal",
    caughtBy: ["refusals.other-4xx", "refusals.out-of-area"],
    behaviour: { repeats: (reply) => reply === undefined || reply.status >= 400, tries: 3 },
  },
  "retries-orders-only": {
    fault: "retries orders only",
    caughtBy: ["retries.other-calls"],
    behaviour: { repeats: (reply, kind) => kind === "order" && isTransient(reply) },
  },
  "renews-for-orders-only": {
    fault: "gets a new token for an order, but gives up any other call on 401",
    caughtBy: ["refusals.other-calls-unauthorised"],
    behaviour: { renewals: (kind) => (kind === "order" ? 1 : 0) },
  },
  "resends-out-of-area": {
    fault: "repeats an order outside the service area",
    caughtBy: ["refusals.out-of-area"],
    behaviour: { repeats: (reply) => isTransient(reply) || reply?.code === "HIZMET_DISI", tries: 3 },
  },
  "reads-messages": {
    fault: "retries if the error message asks for it",
    caughtBy: ["refusals.by-code"],
    behaviour: {
      repeats: (reply) => isTransient(reply) || /tekrar deneyin|yeniden deneyin/.test(reply?.message ?? ""),
      tries: 3,
    },
  },
  ...elementClients,
  "first-page-only": {
    fault: "reads only the first page",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { continuesAfter: () => false },
  },
  "stops-at-short-page": {
    fault: "takes a page with fewer deliveries than requested for the last one",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { continuesAfter: ({ items, hasMore }) => hasMore && items >= 100 },
  },
  "stops-at-empty-page": {
    fault: "takes an empty page for the last one",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { continuesAfter: ({ items, hasMore }) => hasMore && items > 0 },
  },
  "stops-at-empty-pages-of-two-walks": {
    fault: "takes an empty page for the last one, and reads the list again from its beginning",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { continuesAfter: ({ items, hasMore }) => hasMore && items > 0, walks: 2 },
  },
  "goes-on-while-there-is-a-cursor": {
    fault: "continues as long as a page has a next_cursor",
    caughtBy: ["catch-up.ends"],
    behaviour: { continuesAfter: ({ hasCursor }) => hasCursor },
  },
  "ignores-next-cursor": {
    fault: "requests the first page repeatedly",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { sendsCursor: false },
  },
  "cursor-unencoded": {
    fault: "doesn't encode the cursor in the query",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { encodesCursor: (cursor) => cursor },
  },
  "cursor-encoded-twice": {
    fault: "encodes the cursor twice",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { encodesCursor: (cursor) => encodeURIComponent(encodeURIComponent(cursor)) },
  },
  "cursor-without-padding": {
    fault: "removes the padding of a cursor",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { encodesCursor: (cursor) => encodeURIComponent(cursor.replace(/=+$/, "")) },
  },
  "cursor-in-small-letters": {
    fault: "changes a cursor to lower case",
    caughtBy: ["catch-up.to-the-end"],
    behaviour: { encodesCursor: (cursor) => encodeURIComponent(cursor.toLowerCase()) },
  },
  "repeats-lost-cursor": {
    fault: "repeats a refused cursor",
    caughtBy: ["catch-up.starts-again"],
    behaviour: { onLostCursor: "repeat" },
  },
  "gives-up-on-lost-cursor": {
    fault: "stops reading the list if its cursor is refused",
    caughtBy: ["catch-up.starts-again"],
    behaviour: { onLostCursor: "give up" },
  },
  "starts-over-when-interrupted": {
    fault: "forgets its cursor when the connection breaks",
    caughtBy: ["catch-up.last-cursor"],
    behaviour: { onInterruption: "start again" },
  },
} as const satisfies Readonly<Record<string, ClientMutant>>;
