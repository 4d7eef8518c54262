import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import {
  backoff,
  type ClientBehaviour,
  type ClientOrder,
  CORRECT_BEHAVIOUR,
  isTransient,
} from "./reference-client/behaviour.ts";

/** A conforming client that differs from the reference client. */
export interface ClientVariant {
  readonly choice: string;
  readonly behaviour: Partial<ClientBehaviour>;
  /** The factor for nominal seconds. Defaults to a small factor. */
  readonly timeScale?: number;
  /** The limitations that the client declares. */
  readonly without?: readonly DeclarationName[];
}

const GOLDEN = 0.618_034;

/** Returns evenly distributed fractions from 0 to 1, which are the same in each run. */
function jitter(): () => number {
  let last = 0;
  return () => {
    last = (last + GOLDEN) % 1;
    return last;
  };
}

const full = jitter();
const added = jitter();

export const located = (order: ClientOrder): ClientOrder => ({
  ...order,
  dropoff: { ...order.dropoff, lat: 41.0092, lng: 28.9794 },
});

export const clientVariants: Readonly<Record<string, ClientVariant>> = {
  plain: { choice: "does exactly what the specification says", behaviour: {} },
  "full-jitter": {
    choice: "waits for a random part of the backoff",
    behaviour: {
      wait: (failures, reply) => Math.max(full() * backoff(failures), reply?.retryAfter ?? 0),
    },
  },
  "retry-after-on-top": {
    choice: "adds its own jitter to waits and to retry-after",
    behaviour: { wait: (failures, reply) => (reply?.retryAfter ?? backoff(failures)) * (1 + added() / 4) },
  },
  "gives-up-early": {
    choice: "makes at most three attempts",
    behaviour: { tries: 3 },
  },
  "tries-twice": {
    choice: "retries once",
    behaviour: { tries: 2 },
  },
  "ends-at-a-second-401": {
    choice: "exits if a new token is refused too, because the credential may be closed",
    behaviour: { endsOnSecond401: true },
  },
  "three-orders-a-start": {
    choice: "places three orders, reads the list and exits; its keys are its order numbers",
    behaviour: {
      ordersPerStart: 3,
      endsOnSecond401: true,
      key: (_forOrder, _forTry, _reason, reference) => `order ${reference}`,
    },
  },
  "one-order-a-start": {
    choice: "places one order, reads the list and exits; knows no coordinates",
    behaviour: {
      ordersPerStart: 1,
      endsOnSecond401: true,
      order: ({ dropoff: { text }, ...order }) => ({ ...order, dropoff: { text } }),
    },
  },
  "four-at-once": { choice: "places four orders concurrently", behaviour: { atOnce: 4 } },
  "connection-per-request": {
    choice: "opens a connection for each request, and has another notation of the content type",
    behaviour: { keepAlive: false, contentType: "Application/JSON; charset=utf-8" },
  },
  "short-timeout": {
    choice:
      "waits three seconds for a response, repeats the order with its key, and makes at most three attempts",
    behaviour: { timeout: 3, tries: 3 },
    timeScale: 0.5,
  },
  "slower-growth-limit": {
    choice: "waits at most half a minute, and retries after 408 too",
    behaviour: {
      wait: (failures, reply) => Math.max(Math.min(backoff(failures), 30), reply?.retryAfter ?? 0),
      repeats: (reply) => isTransient(reply) || reply?.status === 408,
    },
  },
  "nulls-for-nothing": {
    choice: "sends null for unknown values, even coordinates (OPEN-124)",
    behaviour: {
      registration: { ...CORRECT_BEHAVIOUR.registration, phone: null },
      order: (order) => ({
        ...order,
        customer: { ...order.customer, phone_extension: null, note: null },
        dropoff: { lat: null, lng: null, directions: null, ...order.dropoff },
        notes: null,
        scheduled_for: null,
        items: order.items.map((item) => ({ ...item, code: null })),
      }),
    },
  },
  "orders-only": {
    choice: "places orders and reads the list, but requests no quote, change or cancellation",
    behaviour: { usesQuotesAndChanges: false },
  },
  "locates-every-address": {
    choice: "knows the coordinates of every address",
    behaviour: { order: located },
    without: ["orders-without-coordinates"],
  },
  "sends-no-times": {
    choice: "sends no ready_at and no scheduled_for",
    behaviour: { usesQuotesAndChanges: false, order: ({ ready_at: _, ...order }) => order },
    without: ["timestamps"],
  },
  "token-per-part": {
    choice: "has separate tokens for its store, its orders and the list",
    behaviour: { tokenPer: "part" },
  },
  "fixes-what-was-refused": {
    choice:
      "after a refusal for its store or content type, links the store again or corrects the content type, and repeats the order",
    behaviour: { fixes: true, contentType: "application/json; charset=utf-8" },
  },
  "polls-for-news": {
    choice: "polls from its last cursor every half minute after it has read the list",
    behaviour: { pollsForNews: 4 },
  },
  "reads-twice": {
    choice: "reads the list from its beginning a second time",
    behaviour: { walks: 2 },
  },
  "bare-plus-signs": {
    choice: "doesn't encode +, / and = in a query, as RFC 3986 allows",
    behaviour: {
      encodesCursor: (cursor) =>
        encodeURIComponent(cursor).replaceAll("%2B", "+").replaceAll("%2F", "/").replaceAll("%3D", "="),
    },
  },
  "page-of-one": { choice: "requests pages of one delivery", behaviour: { pageSize: 1 } },
};
