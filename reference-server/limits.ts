/** Every number that bounds the service and isn't in the document (specification, Limits). */

export interface RateLimit {
  requests: number;
  windowMs: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

export const limits = {
  rate: {
    /** With an integrator's token, per integrator. */
    integrator: { requests: 1200, windowMs: minute },
    /** Without a valid token, per IP address. */
    anonymous: { requests: 300, windowMs: minute },
    /** POST /oauth/token, per IP address. */
    token: { requests: 30, windowMs: minute },
    /** GET /v1/public/tracking/{key}, per IP address. */
    tracking: { requests: 60, windowMs: minute },
  },
  tokenSeconds: 1800,
  /** Items of a page where nothing is asked, and bytes of the deliveries on one: what doesn't fit comes on the next. */
  page: { default: 100, bytes: 2_097_152 },
  quoteMs: 15 * minute,
  /** Photos of one delivery; 1.5 MB is taken at its larger reading. */
  proofs: { perDelivery: 3, bytes: 1_572_864 },
  /** How long after its end a delivery can still be tracked. */
  trackingMs: 120 * minute,
  /** A request's whole body, in bytes: a few fields, or an order with 200 items of 600 letters each. */
  bodyBytes: { small: 16_384, order: 131_072 },
  /**
   * Bytes of answers to one integrator, or to one address without a token, that wait for somebody to read them; a page that
   * is being made counts as a full one.
   */
  unreadBytes: 33_554_432,
  /** Bytes that an integrator may have kept of its requests in a day: some ten thousand orders of ten times the usual length. */
  dailyBytes: 1_073_741_824,
  /** Room that is left for the database below which the service says of itself that it isn't well, in bytes. */
  minFreeBytes: 67_108_864,
  /** How deep a body's arrays and objects may lie within each other; the document's lie three deep. */
  bodyDepth: 64,
  /** What one connection may ask of the server. */
  connections: {
    /** From the start of a request until its headers are there, and until all of it is; then it is answered 408. */
    headersMs: 10 * second,
    requestMs: 30 * second,
    /** How often requests that take too long are looked for. */
    checkMs: second,
    /** Between an answer to what is no request and the end of its connection. */
    lingerMs: second,
    /** Without a byte in either direction: whoever doesn't read answers is cut off too. */
    idleMs: 5 * minute,
    /** All headers of a request, in bytes. */
    headerBytes: 16_384,
    /** Open at a time; beyond that new ones are dropped. */
    maxOpen: 10_000,
    /** Open at a time from one address, which no proxy of ours has: a few of them can't shut all others out. */
    perAddress: 1_000,
  },
  /** Real time that a server that is told to stop waits for requests, and then for webhook attempts. */
  stopMs: 20 * second,
  webhooks: {
    /** Active addresses of one integrator. */
    active: 5,
    /** When an event is sent: at once, and each time this long after the failure before it. */
    delaysMs: [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
    /** From the start of an attempt until the whole response is there. */
    answerMs: 15 * second,
    /** An address that fails this long without a success is closed. */
    failingMs: 5 * 24 * hour,
    /** Between two positions of one delivery's courier. */
    positionMs: 30 * second,
    /** More of a response than this isn't read. */
    responseBytes: 65_536,
    /** Attempts at a time to one address: what waits for an answer delays only what goes to the same one. */
    concurrent: 32,
    /** Real time for which an attempt's row belongs to the process that makes it. */
    leaseMs: minute,
    /** Real time for which a clock that is being moved stands still for an answer, unless the move says otherwise. */
    standstillMs: 3 * second,
    /** Real time for which an origin stays trusted that nobody uses. */
    trustMs: hour,
  },
};

export type Limits = typeof limits;
export type RateLimitName = keyof Limits["rate"];
