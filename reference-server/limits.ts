/** The service's limits that aren't in the OpenAPI document (specification, Limits). */

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
  /**
   * The default page size, and the maximum bytes of deliveries on a page. Further deliveries are on the next
   * page.
   */
  page: { default: 100, bytes: 2_097_152 },
  quoteMs: 15 * minute,
  /** Photos per delivery. 1.5 MB is read as MiB, the larger value. */
  proofs: { perDelivery: 3, bytes: 1_572_864 },
  /** How long after its end a delivery can still be tracked. */
  trackingMs: 120 * minute,
  /** Size of a request's body, in bytes: a few fields, or an order with 200 items of 600 characters each. */
  bodyBytes: { small: 16_384, order: 131_072 },
  /**
   * Unread bytes of responses per integrator, or per IP address without a token. A page that is being built
   * counts with its maximum size.
   */
  unreadBytes: 33_554_432,
  /** Bytes stored per integrator and day: about ten thousand orders of ten times the usual size. */
  dailyBytes: 1_073_741_824,
  /** Free disk space, in bytes, below which the health check fails. */
  minFreeBytes: 67_108_864,
  /** The maximum nesting of a body. The document's schemas have three levels. */
  bodyDepth: 64,
  /** Limits of connections. */
  connections: {
    /** Time to send the headers, and the whole request. Afterwards the response is 408. */
    headersMs: 10 * second,
    requestMs: 30 * second,
    /** Interval of the check for slow requests. */
    checkMs: second,
    /** Time between the response to an invalid request and the end of its connection. */
    lingerMs: second,
    /**
     * Time without a byte in either direction. The limit also disconnects clients that don't read responses.
     */
    idleMs: 5 * minute,
    /** All headers of a request, in bytes. */
    headerBytes: 16_384,
    /** The maximum number of open connections. Further ones are dropped. */
    maxOpen: 10_000,
    /** Open connections per address, except trusted proxies, so that a few addresses can't block all others. */
    perAddress: 1_000,
  },
  /** Real time that a stopping server waits for requests, and then for webhook attempts. */
  stopMs: 20 * second,
  webhooks: {
    /** Active subscriptions per integrator. */
    active: 5,
    /** Delay of each attempt after the previous failure. */
    delaysMs: [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
    /** Time from the start of an attempt to the end of its response. */
    answerMs: 15 * second,
    /** An endpoint that fails this long without a success is closed. */
    failingMs: 5 * 24 * hour,
    /** Time between two reported positions of one delivery. */
    positionMs: 30 * second,
    /** Bytes read of a response. */
    responseBytes: 65_536,
    /** Concurrent attempts per endpoint. Slow responses only delay the same endpoint. */
    concurrent: 32,
    /** Real time of an attempt's lease. */
    leaseMs: minute,
    /**
     * Real time that an advance waits for a response while the clock is frozen. An advance may set a
     * different time.
     */
    standstillMs: 3 * second,
    /** Real time for which an unused origin stays trusted. */
    trustMs: hour,
  },
};

export type Limits = typeof limits;
export type RateLimitName = keyof Limits["rate"];
