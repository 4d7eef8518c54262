/** The response to one attempt; undefined if the connection broke. */
export interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly retryAfter: number | undefined;
  readonly json: unknown;
}

export type CallKind = "order" | "token" | "store" | "quote" | "change" | "cancellation" | "page";

/** Why the client sends an attempt: for the first time, after a failure, or with a new token after a 401. */
export type Reason = "new" | "failure" | "unauthorised";

export interface ClientOrder {
  readonly external_ref: string;
  readonly store: { readonly external_store_id: string };
  readonly customer: { readonly name: string; readonly phone: string };
  readonly dropoff: { readonly text: string; readonly lat?: number; readonly lng?: number };
  readonly payment: { readonly type: string; readonly amount_due: number | string };
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly total: number }[];
  readonly ready_at?: string;
}

/**
 * All choices of the reference client. A mutant replaces a choice by a fault, and a variant by another legal
 * choice.
 */
export interface ClientBehaviour {
  readonly scheme: string;
  readonly tokenForm: "json" | "form";
  readonly contentType: string | undefined;
  /** True to send all bodies except the token request with Content-Encoding: gzip. */
  readonly compresses: boolean;
  /** True to send calls without a token until the service refuses one. */
  readonly callsBeforeToken: boolean;
  /** How often the client gets a new token: for each attempt, order, page or part of its work, or never. */
  readonly tokenPer: "never" | "try" | "order" | "page" | "part";
  /** The maximum number of new tokens for a call that the service refuses with this code. */
  readonly renewals: (kind: CallKind, code: string | undefined) => number;
  readonly tokensPerRenewal: number;
  readonly tries: number;
  /** True if the client exits when the service refuses a call with 401 despite a new token. */
  readonly endsOnSecond401: boolean;
  /** The number of orders in one start. Defaults to the requested number. */
  readonly ordersPerStart: number | undefined;
  /** The number of concurrent orders. */
  readonly atOnce: number;
  /** True if the client requests quotes, changes orders and cancels some. */
  readonly usesQuotesAndChanges: boolean;
  /** True if the client links its store again after a 404, and corrects a refused content type. */
  readonly fixes: boolean;
  /** True if the client repeats an order with a new key after this response. */
  readonly sendsAnew: (reply: Reply | undefined) => boolean;
  /** The number of times that the client reads the list from its beginning. */
  readonly walks: number;
  /** The milliseconds between a response and the client's next request. */
  readonly turnaroundMs: number;
  /** The milliseconds between two orders. */
  readonly betweenOrdersMs: number;
  /** Response timeout in nominal seconds. */
  readonly timeout: number;
  readonly keepAlive: boolean;
  readonly registration: object;
  /** The idempotency key of an attempt: a key per order, a key per attempt, or the order's number. */
  readonly key: (forOrder: string, forTry: string, reason: Reason, reference: string) => string | undefined;
  readonly order: (order: ClientOrder, attempt: number) => object;
  /** True if the client retries after this response. A 401 is handled separately. */
  readonly repeats: (reply: Reply | undefined, kind: CallKind) => boolean;
  /** The nominal seconds to wait after this many consecutive failures. */
  readonly wait: (failures: number, reply: Reply | undefined, kind: CallKind) => number;
  readonly pageSize: number | undefined;
  readonly continuesAfter: (page: {
    readonly items: number;
    readonly hasMore: boolean;
    readonly hasCursor: boolean;
  }) => boolean;
  /** The number of polls from the last cursor after the client has reached the end of the list. */
  readonly pollsForNews: number;
  readonly sendsCursor: boolean;
  /** Encodes a cursor for the query. */
  readonly encodesCursor: (cursor: string) => string;
  readonly onLostCursor: "start again" | "repeat" | "give up";
  readonly onInterruption: "same cursor" | "start again";
}

export const backoff = (failures: number): number => Math.min(2 ** (failures - 1), 60);

export const isTransient = (reply: Reply | undefined): boolean =>
  reply === undefined || reply.status === 429 || reply.status >= 500;

/** A client that follows the specification. */
export const CORRECT_BEHAVIOUR: ClientBehaviour = {
  scheme: "Bearer",
  tokenForm: "json",
  contentType: "application/json",
  compresses: false,
  callsBeforeToken: false,
  tokenPer: "never",
  renewals: () => 1,
  tokensPerRenewal: 1,
  tries: 12,
  endsOnSecond401: false,
  ordersPerStart: undefined,
  atOnce: 1,
  usesQuotesAndChanges: true,
  fixes: false,
  sendsAnew: () => false,
  walks: 1,
  turnaroundMs: 0,
  betweenOrdersMs: 0,
  timeout: 500,
  keepAlive: true,
  registration: {
    external_store_id: "trial-1",
    name: "Deneme Mutfağı",
    address: { text: "Moda Caddesi 10, Kadıköy", lat: 41.0082, lng: 28.9784 },
  },
  key: (forOrder) => forOrder,
  order: (order) => order,
  repeats: isTransient,
  wait: (failures, reply) => Math.max(backoff(failures), reply?.retryAfter ?? 0),
  pageSize: undefined,
  continuesAfter: ({ hasMore }) => hasMore,
  pollsForNews: 0,
  sendsCursor: true,
  encodesCursor: encodeURIComponent,
  onLostCursor: "start again",
  onInterruption: "same cursor",
};
