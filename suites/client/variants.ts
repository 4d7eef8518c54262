import type { DeclarationName } from "../../openapi/generated/declarations.ts";
import {
  backoff,
  type ClientBehaviour,
  type ClientOrder,
  CORRECT_BEHAVIOUR,
  isTransient,
} from "./reference-client/behaviour.ts";

/** A conforming client that differs from the correct one. */
export interface ClientVariant {
  readonly choice: string;
  readonly behaviour: Partial<ClientBehaviour>;
  /** The factor for nominal seconds. Defaults to a small one. */
  readonly timeScale?: number;
  /** The declared limitations. */
  readonly without?: readonly DeclarationName[];
}

const GOLDEN = 0.618_034;

/** Evenly spread fractions from 0 to 1, the same in each run. */
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
  plain: { choice: "does as the specification says, and no more", behaviour: {} },
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
    choice: "tries three times, and no more",
    behaviour: { tries: 3 },
  },
  "tries-twice": {
    choice: "tries once more, and then tells a person",
    behaviour: { tries: 2 },
  },
  "ends-at-a-second-401": {
    choice: "ends where a new token is refused too: the credential may be closed",
    behaviour: { endsOnSecond401: true },
  },
  "three-orders-a-start": {
    choice:
      "hands three orders over, catches up and ends, and is started again for more; its keys are its order numbers",
    behaviour: {
      ordersPerStart: 3,
      endsOnSecond401: true,
      key: (_forOrder, _forTry, _reason, reference) => `order ${reference}`,
    },
  },
  "one-order-a-start": {
    choice:
      "hands one order over, catches up and ends, and is started again for the next; knows no coordinates",
    behaviour: {
      ordersPerStart: 1,
      endsOnSecond401: true,
      order: ({ dropoff: { text }, ...order }) => ({ ...order, dropoff: { text } }),
    },
  },
  "four-at-once": { choice: "hands four orders over at once", behaviour: { atOnce: 4 } },
  "connection-per-request": {
    choice: "opens a connection for each request, and writes its header's type otherwise",
    behaviour: { keepAlive: false, contentType: "Application/JSON; charset=utf-8" },
  },
  "short-timeout": {
    choice:
      "gives an answer three seconds, then repeats the order with its key, and tries three times in all",
    behaviour: { timeout: 3, tries: 3 },
    timeScale: 0.5,
  },
  "slower-growth-limit": {
    choice: "waits for half a minute at most, and repeats 408 too",
    behaviour: {
      wait: (failures, reply) => Math.max(Math.min(backoff(failures), 30), reply?.retryAfter ?? 0),
      repeats: (reply) => isTransient(reply) || reply?.status === 408,
    },
  },
  "nulls-for-nothing": {
    choice: "sends null for what it doesn't know, coordinates too (OPEN-124)",
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
    choice: "hands orders over and catches up, and asks for no quote, change or cancellation",
    behaviour: { deals: false },
  },
  "locates-every-address": {
    choice: "knows where every address is",
    behaviour: { order: located },
    without: ["orders-without-coordinates"],
  },
  "sends-no-times": {
    choice: "hands an order over when it is ready, and gives no time for it",
    behaviour: { deals: false, order: ({ ready_at: _, ...order }) => order },
    without: ["timestamps"],
  },
  "token-per-part": {
    choice: "has a token for its store, one for its orders and one for the list",
    behaviour: { tokenPer: "part" },
  },
  "fixes-what-was-refused": {
    choice:
      "links its store again where it isn't found and declares a type otherwise that isn't taken, and then sends the order again",
    behaviour: { fixes: true, contentType: "application/json; charset=utf-8" },
  },
  "polls-for-news": {
    choice: "polls for news from its last cursor every half minute, once it has caught up",
    behaviour: { pollsForNews: 4 },
  },
  "reads-twice": {
    choice: "reads the list from its beginning once more when it has caught up",
    behaviour: { walks: 2 },
  },
  "bare-plus-signs": {
    choice: "leaves +, / and = as they are in a query, as RFC 3986 lets it",
    behaviour: {
      writesCursor: (cursor) =>
        encodeURIComponent(cursor).replaceAll("%2B", "+").replaceAll("%2F", "/").replaceAll("%3D", "="),
    },
  },
  "page-of-one": { choice: "asks for one delivery at a time", behaviour: { pageSize: 1 } },
};
