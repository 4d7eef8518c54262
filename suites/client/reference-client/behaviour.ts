/** The response to one try; undefined if the connection broke. */
export interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly retryAfter: number | undefined;
  readonly json: unknown;
}

export type CallKind = "order" | "token" | "store" | "quote" | "change" | "cancellation" | "page";

/** The reason for a retry. */
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
 * Every decision of the reference client. A mutant replaces one with a wrong decision, a variant with another legal
 * one.
 */
export interface ClientBehaviour {
  readonly scheme: string;
  readonly tokenForm: "json" | "form";
  readonly contentType: string | undefined;
  /** True if bodies are sent with Content-Encoding: gzip. The token request never is. */
  readonly compresses: boolean;
  /** True if the client calls without a token until the service requires one. */
  readonly callsBeforeToken: boolean;
  /** When the client discards its token: for each new try, order or page, once for each part of its work, or never. */
  readonly tokenPer: "never" | "try" | "order" | "page" | "part";
  /** New tokens that the client gets for one call refused with this code. */
  readonly renewals: (kind: CallKind, code: string | undefined) => number;
  /** Tokens requested at each renewal. */
  readonly tokensPerRenewal: number;
  readonly tries: number;
  /** True if the client exits when a call is refused with 401 despite a new token. */
  readonly endsOnSecond401: boolean;
  /** Orders placed in one start. Defaults to the requested number. */
  readonly ordersPerStart: number | undefined;
  /** Orders in progress at once. */
  readonly atOnce: number;
  /** True if the client requests quotes, changes orders and cancels some. */
  readonly deals: boolean;
  /**
   * True if the client links its store again after a 404, corrects a refused content type, and sends the order again.
   */
  readonly fixes: boolean;
  /** True if the client sends an order again under a new key after this response. */
  readonly sendsAnew: (reply: Reply | undefined) => boolean;
  /** Number of times that the client reads the list from its beginning. */
  readonly walks: number;
  /** Milliseconds of the client's own work between a response and its next request. */
  readonly turnaroundMs: number;
  /** Milliseconds that the client waits for customers before each order. */
  readonly betweenOrdersMs: number;
  /** Response timeout in nominal seconds. */
  readonly timeout: number;
  readonly keepAlive: boolean;
  readonly registration: object;
  /** The idempotency key of a try, chosen from a key per order, a key per try, and the order's number. */
  readonly key: (forOrder: string, forTry: string, reason: Reason, reference: string) => string | undefined;
  /** The request body of an order. */
  readonly order: (order: ClientOrder, attempt: number) => object;
  /** True if the client tries again. 401 is handled elsewhere. */
  readonly repeats: (reply: Reply | undefined, kind: CallKind) => boolean;
  /** Nominal seconds to wait after this many consecutive failures. */
  readonly wait: (failures: number, reply: Reply | undefined, kind: CallKind) => number;
  readonly pageSize: number | undefined;
  readonly goesOn: (page: {
    readonly items: number;
    readonly hasMore: boolean;
    readonly hasCursor: boolean;
  }) => boolean;
  /** Number of times that the client polls from its last cursor after it has caught up. */
  readonly looksForNews: number;
  readonly sendsCursor: boolean;
  /** Encodes a cursor for a query. */
  readonly writesCursor: (cursor: string) => string;
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
  deals: true,
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
  goesOn: ({ hasMore }) => hasMore,
  looksForNews: 0,
  sendsCursor: true,
  writesCursor: encodeURIComponent,
  onLostCursor: "start again",
  onInterruption: "same cursor",
};
