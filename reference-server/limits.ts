/** Every number that bounds the service and isn't in the document (specification, Limits). */

export interface RateLimit {
  requests: number;
  windowMs: number;
}

const minute = 60_000;

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
  page: { default: 100 },
  quoteMs: 15 * minute,
  /** Photos of one delivery; 1.5 MB is taken at its larger reading. */
  proofs: { perDelivery: 3, bytes: 1_572_864 },
  /** How long after its end a delivery can still be tracked. */
  trackingMs: 120 * minute,
  /** A request's whole body, in bytes: 200 items with long names fit many times. */
  bodyBytes: 1_048_576,
};

export type Limits = typeof limits;
export type RateLimitName = keyof Limits["rate"];
