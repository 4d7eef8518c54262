import { isoInstant, wallClock } from "../../core/clock.ts";
import {
  backoff,
  type CallKind,
  type ClientBehaviour,
  CORRECT_BEHAVIOUR,
  isTransient,
} from "../reference-client/behaviour.ts";
import { drawnMutant } from "./drawn-waits.ts";
import { elementClients } from "./element-clients.ts";
import { type ClientMutant, isRefusal, retriesToo } from "./mutant.ts";

const NO_ZONE = /Z$/;

/** A client that gives up one kind of call. */
const givesUp = (kind: CallKind): Partial<ClientBehaviour> => ({
  repeats: (reply, of) => of !== kind && isTransient(reply),
});

export const clientMutants = {
  "calls-before-token": {
    fault: "calls without a token, and gets one when it is asked to",
    behaviour: { callsBeforeToken: true },
  },
  "other-scheme": { fault: "sends its token as `Authorization: Token …`", behaviour: { scheme: "Token" } },
  "token-per-request": { fault: "gets a token for each request", behaviour: { tokenPer: "try" } },
  "token-per-order": {
    fault: "gets a token for each order, and keeps it for its tries",
    behaviour: { tokenPer: "order" },
  },
  "token-per-page": {
    fault: "gets a token for each page of the list",
    behaviour: { tokenPer: "page" },
  },
  "keeps-expired-token": {
    fault: "repeats a call whose token was refused, with the same token",
    behaviour: { tokensPerRenewal: 0 },
  },
  "form-token-request": { fault: "asks for its token with a form", behaviour: { tokenForm: "form" } },
  "undeclared-bodies": {
    fault: "sends bodies without a Content-Type",
    behaviour: { contentType: undefined },
  },
  "times-without-zone": {
    fault: "sends times without a zone",
    behaviour: { order: (order) => ({ ...order, ready_at: isoInstant(wallClock()).replace(NO_ZONE, "") }) },
  },
  "store-without-coordinates": {
    fault: "registers its store without coordinates",
    behaviour: {
      registration: { ...CORRECT_BEHAVIOUR.registration, address: { text: "Moda Caddesi 10, Kadıköy" } },
    },
  },
  "store-without-name": {
    fault: "registers its store without its name",
    behaviour: { registration: { ...CORRECT_BEHAVIOUR.registration, name: undefined } },
  },
  "no-key": { fault: "creates without an Idempotency-Key", behaviour: { key: () => undefined } },
  "short-keys": {
    fault: "creates with keys of 6 characters",
    behaviour: { key: (forOrder) => forOrder.slice(0, 6) },
  },
  "one-key-for-all": {
    fault: "uses one key for every order",
    behaviour: { key: () => "the-key-of-this-till" },
  },
  "zero-coordinates": {
    fault: "sends 0,0 where it knows no coordinates",
    behaviour: { order: (order) => ({ ...order, dropoff: { lat: 0, lng: 0, ...order.dropoff } }) },
  },
  "amount-as-text": {
    fault: "sends amounts as text",
    behaviour: {
      order: (order) => ({ ...order, payment: { ...order.payment, amount_due: "120.50" } }),
    },
  },
  "null-for-required": {
    fault: "sends null where it has no amount to collect",
    behaviour: { order: (order) => ({ ...order, payment: { ...order.payment, amount_due: null } }) },
  },
  "unlisted-payment-code": {
    fault: "sends a payment code that isn't in the list",
    behaviour: { order: (order) => ({ ...order, payment: { ...order.payment, type: "CASH" } }) },
  },
  "compressed-bodies": {
    fault: "compresses the bodies of its requests",
    behaviour: { compresses: true },
  },
  "quantities-unrounded": {
    fault: "sends quantities as they come out of a division",
    behaviour: {
      order: (order) => ({ ...order, items: order.items.map((item) => ({ ...item, quantity: 2 / 3 })) }),
    },
  },
  "limit-too-high": { fault: "asks for pages of 500 deliveries", behaviour: { pageSize: 500 } },
  "no-retry-on-network-errors": {
    fault: "takes a broken connection for the end of it",
    behaviour: { repeats: (reply) => reply !== undefined && isTransient(reply) },
  },
  "no-retry-on-429": {
    fault: "gives an order up on 429",
    behaviour: { repeats: (reply) => reply?.status !== 429 && isTransient(reply) },
  },
  "ignores-retry-after": {
    fault: "waits after 429 as after any failure",
    behaviour: { wait: backoff },
  },
  "ignores-retry-after-elsewhere": {
    fault: "waits as retry-after says for orders, and as after any failure for all else",
    behaviour: {
      wait: (failures, reply, kind) =>
        Math.max(backoff(failures), kind === "order" ? (reply?.retryAfter ?? 0) : 0),
    },
  },
  "no-retry-on-5xx": {
    fault: "gives an order up on 5xx",
    behaviour: { repeats: (reply) => reply === undefined || reply.status === 429 },
  },
  "stumbles-over-html": {
    fault: "gives an order up on a 5xx whose body isn't JSON",
    behaviour: {
      repeats: (reply) => isTransient(reply) && (reply === undefined || reply.code !== undefined),
    },
  },
  "retries-at-once": {
    fault: "tries again without waiting",
    behaviour: { wait: (_, reply) => reply?.retryAfter ?? 0 },
  },
  "retries-once-at-once": {
    fault: "tries once more, without waiting",
    behaviour: { wait: (_, reply) => reply?.retryAfter ?? 0, tries: 2 },
  },
  "retries-other-calls-at-once": {
    fault: "waits before it sends an order again, and before nothing else",
    behaviour: {
      wait: (failures, reply, kind) =>
        Math.max(kind === "order" ? backoff(failures) : 0, reply?.retryAfter ?? 0),
      tries: 3,
    },
  },
  "constant-wait": {
    fault: "waits equally long after every failure, however many there were",
    behaviour: drawnMutant("constant"),
  },
  "grows-by-a-second": {
    fault: "waits longer after each failure by the same time, and doesn't double its waits",
    behaviour: drawnMutant("linear"),
  },
  "grows-slowly": {
    fault: "lets its waits grow by half or less each time",
    behaviour: drawnMutant("slow factor"),
  },
  "stops-growing": {
    fault: "waits for two and a half seconds at most",
    behaviour: drawnMutant("low limit"),
  },
  "starts-below-a-second": {
    fault: "doubles its waits from a fraction of a second on",
    behaviour: drawnMutant("short base"),
  },
  "starts-at-five-seconds": {
    fault: "doubles its waits from five seconds on",
    behaviour: {
      wait: (failures, reply) => Math.max(Math.min(5 * backoff(failures), 60), reply?.retryAfter ?? 0),
      tries: 3,
    },
  },
  "waits-a-minute-each-time": {
    fault: "waits a minute after every failure",
    behaviour: { wait: () => 60, tries: 2 },
  },
  "no-wait-after-network-errors": {
    fault: "waits after an answer that asks for it, and tries again at once where the connection broke",
    behaviour: {
      keepAlive: false,
      tries: 5,
      wait: (failures, reply) =>
        reply === undefined ? 0 : Math.max(backoff(failures), reply.retryAfter ?? 0),
    },
  },
  "uncapped-backoff": {
    fault: "doubles its waits beyond a minute",
    behaviour: { wait: (failures, reply) => Math.max(2 ** (failures - 1), reply?.retryAfter ?? 0) },
  },
  "takes-a-replay-for-an-error": {
    fault: "sends an order anew, with another key, when its repetition is answered 200",
    behaviour: { sendsAnew: (reply) => reply?.status === 200 },
  },
  "new-key-for-a-taken-reference": {
    fault: "sends an order anew, with another key, when its number is taken",
    behaviour: { sendsAnew: (reply) => reply?.code === "EXTERNAL_REF_TEKRAR" },
  },
  "new-key-on-retry": {
    fault: "makes a new key for each try",
    behaviour: { key: (forOrder, forTry, reason) => (reason === "failure" ? forTry : forOrder) },
  },
  "other-body-on-retry": {
    fault: "reckons the time anew for each try",
    behaviour: {
      order: (order, attempt) => ({ ...order, ready_at: isoInstant(wallClock() + attempt * 60_000) }),
    },
  },
  "new-order-on-retry": {
    fault: "numbers an order anew for each try",
    behaviour: {
      key: (_, forTry) => forTry,
      order: (order, attempt) => ({ ...order, external_ref: `${order.external_ref}-${attempt}` }),
    },
  },
  "impatient-with-new-key": {
    fault: "sends an order anew, with another key, when the answer takes its time",
    behaviour: { timeout: 3, key: (_, forTry) => forTry },
  },
  "gives-up-on-401": { fault: "gives an order up on 401", behaviour: { renewals: () => 0 } },
  "renews-expired-tokens-only": {
    fault: "gets a new token on SURESI_DOLDU, and gives up on any other 401",
    behaviour: { renewals: (_, code) => (code === "SURESI_DOLDU" ? 1 : 0) },
  },
  "two-tokens-on-401": { fault: "gets two tokens when one was refused", behaviour: { tokensPerRenewal: 2 } },
  "new-key-on-401": {
    fault: "makes a new key after a 401",
    behaviour: { key: (forOrder, forTry, reason) => (reason === "unauthorised" ? forTry : forOrder) },
  },
  "endless-on-401": {
    fault: "gets a new token for each 401, without end",
    behaviour: { renewals: () => 20 },
  },
  "retries-any-error": {
    fault: "tries again whatever the refusal",
    behaviour: { repeats: (reply) => reply === undefined || reply.status >= 400, tries: 3 },
  },
  "retries-orders-only": {
    fault: "tries orders again, and nothing else",
    behaviour: { repeats: (reply, kind) => kind === "order" && isTransient(reply) },
  },
  "gives-up-tokens": { fault: "doesn't ask again for a token", behaviour: givesUp("token") },
  "gives-up-stores": { fault: "doesn't register its store again", behaviour: givesUp("store") },
  "gives-up-quotes": { fault: "doesn't ask again for a quote", behaviour: givesUp("quote") },
  "gives-up-changes": { fault: "doesn't send a change again", behaviour: givesUp("change") },
  "gives-up-cancellations": { fault: "doesn't cancel again", behaviour: givesUp("cancellation") },
  "gives-up-pages": { fault: "doesn't ask again for a page", behaviour: givesUp("page") },
  "renews-for-orders-only": {
    fault: "gets a new token for an order, and gives any other call up on 401",
    behaviour: { renewals: (kind) => (kind === "order" ? 1 : 0) },
  },
  "retries-refused-stores": {
    fault: "registers its store again with the pairing code that was refused",
    behaviour: { repeats: retriesToo((reply, kind) => kind === "store" && isRefusal(reply)), tries: 3 },
  },
  "retries-refused-quotes": {
    fault: "asks again for a quote that was refused",
    behaviour: { repeats: retriesToo((reply, kind) => kind === "quote" && isRefusal(reply)), tries: 3 },
  },
  "retries-refused-changes": {
    fault: "sends a change again that was refused",
    behaviour: { repeats: retriesToo((reply, kind) => kind === "change" && isRefusal(reply)), tries: 3 },
  },
  "retries-refused-cancellations": {
    fault: "cancels again what can't be cancelled",
    behaviour: {
      repeats: retriesToo((reply, kind) => kind === "cancellation" && isRefusal(reply)),
      tries: 3,
    },
  },
  "resends-out-of-area": {
    fault: "tries again where the address lies outside the service area",
    behaviour: { repeats: (reply) => isTransient(reply) || reply?.code === "HIZMET_DISI", tries: 3 },
  },
  "reads-messages": {
    fault: "takes a message that asks to try again at its word",
    behaviour: {
      repeats: (reply) => isTransient(reply) || /tekrar deneyin|yeniden deneyin/.test(reply?.message ?? ""),
      tries: 3,
    },
  },
  ...elementClients,
  "first-page-only": { fault: "reads the first page and no more", behaviour: { goesOn: () => false } },
  "stops-at-short-page": {
    fault: "takes a page with fewer deliveries than it asked for as the last one",
    behaviour: { goesOn: ({ items, hasMore }) => hasMore && items >= 100 },
  },
  "stops-at-empty-page": {
    fault: "takes a page without deliveries as the last one",
    behaviour: { goesOn: ({ items, hasMore }) => hasMore && items > 0 },
  },
  "stops-at-empty-pages-of-two-walks": {
    fault: "takes a page without deliveries as the last one, and reads the list again from its beginning",
    behaviour: { goesOn: ({ items, hasMore }) => hasMore && items > 0, walks: 2 },
  },
  "goes-on-while-there-is-a-cursor": {
    fault: "asks for more as long as a page has a next_cursor",
    behaviour: { goesOn: ({ hasCursor }) => hasCursor },
  },
  "ignores-next-cursor": {
    fault: "asks for the first page again and again",
    behaviour: { sendsCursor: false },
  },
  "cursor-unencoded": {
    fault: "writes a cursor into the query as it came, with whatever a query doesn't take",
    behaviour: { writesCursor: (cursor) => cursor },
  },
  "cursor-encoded-twice": {
    fault: "encodes a cursor for a query, and then once more",
    behaviour: { writesCursor: (cursor) => encodeURIComponent(encodeURIComponent(cursor)) },
  },
  "cursor-without-padding": {
    fault: "takes a cursor for base64, and its padding off",
    behaviour: { writesCursor: (cursor) => encodeURIComponent(cursor.replace(/=+$/, "")) },
  },
  "cursor-in-small-letters": {
    fault: "makes the letters of a cursor small",
    behaviour: { writesCursor: (cursor) => encodeURIComponent(cursor.toLowerCase()) },
  },
  "repeats-lost-cursor": {
    fault: "repeats a cursor that the service can't read",
    behaviour: { onLostCursor: "repeat" },
  },
  "gives-up-on-lost-cursor": {
    fault: "stops catching up when its cursor can't be read",
    behaviour: { onLostCursor: "give up" },
  },
  "starts-over-when-interrupted": {
    fault: "forgets its cursor when the connection breaks",
    behaviour: { onInterruption: "start again" },
  },
} as const satisfies Readonly<Record<string, ClientMutant>>;

export type ClientMutantId = keyof typeof clientMutants;
