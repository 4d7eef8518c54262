/** What a client got for one try; undefined where the connection broke. */
export interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly retryAfter: number | undefined;
  readonly json: unknown;
}

/** What a call is for. */
export type CallKind = "order" | "token" | "store" | "quote" | "change" | "cancellation" | "page";

/** Why a try follows another one. */
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

/** Everything that the reference client decides: a mutant decides one thing wrongly, a variant others in another way that is right. */
export interface ClientBehaviour {
  readonly scheme: string;
  readonly tokenForm: "json" | "form";
  readonly contentType: string | undefined;
  /** Whether bodies are sent with Content-Encoding: gzip; the request for a token isn't. */
  readonly compresses: boolean;
  /** Calls without a token until the service asks for one. */
  readonly callsBeforeToken: boolean;
  /** When it forgets its token: for each new try, order or page, or once for each part of what it does; or never. */
  readonly tokenPer: "never" | "try" | "order" | "page" | "part";
  /** New tokens that it gets for one call that was refused with this code. */
  readonly renewals: (kind: CallKind, code: string | undefined) => number;
  /** Tokens that it asks for at each renewal. */
  readonly tokensPerRenewal: number;
  readonly tries: number;
  /** Ends altogether where a call is refused with 401 in spite of a new token. */
  readonly endsOnSecond401: boolean;
  /** Orders that it hands over in one start; as many as it is asked for where nothing is said. */
  readonly ordersPerStart: number | undefined;
  /** Orders under way at once. */
  readonly atOnce: number;
  /** Whether it asks for quotes, changes orders and cancels some. */
  readonly deals: boolean;
  /** Links its store again where it isn't found, declares a type otherwise that isn't taken, and sends the order again. */
  readonly mends: boolean;
  /** Whether it sends an order once more after this answer, as an order that it has a new key for. */
  readonly sendsAnew: (reply: Reply | undefined) => boolean;
  /** How often it reads the list from its beginning. */
  readonly walks: number;
  /** Milliseconds that it takes by itself from an answer to its next request. */
  readonly turnaroundMs: number;
  /** Milliseconds that it waits for customers before each order. */
  readonly betweenOrdersMs: number;
  /** Nominal seconds that an answer may take. */
  readonly timeout: number;
  readonly keepAlive: boolean;
  readonly registration: object;
  /** The idempotency key of a try: of one that is new for the order, one that is new for the try, and the order's number. */
  readonly key: (forOrder: string, forTry: string, reason: Reason, reference: string) => string | undefined;
  /** What is sent for an order. */
  readonly order: (order: ClientOrder, attempt: number) => object;
  /** Whether to try again; 401 aside. */
  readonly repeats: (reply: Reply | undefined, kind: CallKind) => boolean;
  /** Nominal seconds to wait after so many failures in a row. */
  readonly wait: (failures: number, reply: Reply | undefined, kind: CallKind) => number;
  readonly pageSize: number | undefined;
  readonly goesOn: (page: {
    readonly items: number;
    readonly hasMore: boolean;
    readonly hasCursor: boolean;
  }) => boolean;
  /** How often it looks for news once it has caught up, from its last cursor. */
  readonly looksForNews: number;
  readonly sendsCursor: boolean;
  /** How a cursor is written into a query. */
  readonly writesCursor: (cursor: string) => string;
  readonly onLostCursor: "start again" | "repeat" | "give up";
  readonly onInterruption: "same cursor" | "start again";
}

export const backoff = (failures: number): number => Math.min(2 ** (failures - 1), 60);

export const isTransient = (reply: Reply | undefined): boolean =>
  reply === undefined || reply.status === 429 || reply.status >= 500;

/** A client that does everything as the specification says. */
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
  mends: false,
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
