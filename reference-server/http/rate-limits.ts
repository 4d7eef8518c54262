/**
 * Rate limits: whose requests are counted together, how many are left, and what the headers say (specification,
 * Limits). Windows are fixed and start at whole minutes; the number of the window is part of the key that is counted
 * under, so the clock part rules them and a counter needs to know nothing of time.
 */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { RateLimit } from "../limits.ts";
import type { Bucket, CountedRequest, Limiter, Parts, RateLimitStatus } from "../parts.ts";

/** Keys are kept for three windows, in seconds. The library's own limit isn't used: it is late to know of a change. */
export const counterOptions = { points: 1, duration: 180 };

/** @param keptSeconds how long in real time a key is kept; 0 for good */
export function memoryLimiter(keptSeconds = counterOptions.duration): Limiter {
  const counter = new RateLimiterMemory({ ...counterOptions, duration: keptSeconds });
  return {
    count: async (key) => (await counter.penalty(key)).consumedPoints,
    read: async (key) => (await counter.get(key))?.consumedPoints ?? 0,
    state: async () => "none",
    close: async () => {},
  };
}

/** With a valid token the integrator counts, on its own clock; without one the address, on real time. */
export function bucketOf({ operationId, identity, address, realNow }: CountedRequest): Bucket {
  if (operationId === "obtainToken") return { limit: "token", subject: address, now: realNow };
  if (operationId === "getTracking") return { limit: "tracking", subject: address, now: realNow };
  if ("refusal" in identity) return { limit: "anonymous", subject: address, now: realNow };
  return { limit: "integrator", subject: identity.integrator.id, now: identity.now };
}

export function rateLimitStatus(limit: RateLimit, count: number, now: number): RateLimitStatus {
  return {
    limit: limit.requests,
    remaining: Math.max(0, limit.requests - count),
    resetSeconds: Math.ceil((limit.windowMs - (now % limit.windowMs)) / 1000),
    exceeded: count > limit.requests,
  };
}

export function limitHeaders(
  { limit, remaining, resetSeconds }: RateLimitStatus,
  status: number,
): Record<string, string> {
  const headers: Record<string, string> = {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetSeconds),
  };
  if (status === 429) headers["retry-after"] = String(resetSeconds);
  return headers;
}

/** Counts a request and says where it stands. */
export async function countRequest(parts: Parts, counted: CountedRequest): Promise<RateLimitStatus> {
  const bucket = parts.bucketOf(counted);
  const limit = parts.limits.rate[bucket.limit];
  return parts.rateLimitStatus(limit, await parts.limiter.count(keyOf(bucket, limit)), bucket.now);
}

/** Where the next request would stand, without counting one. */
export async function readRateLimit(parts: Parts, bucket: Bucket): Promise<RateLimitStatus> {
  const limit = parts.limits.rate[bucket.limit];
  return parts.rateLimitStatus(limit, await parts.limiter.read(keyOf(bucket, limit)), bucket.now);
}

function keyOf({ limit: name, subject, now }: Bucket, { windowMs }: RateLimit): string {
  return `${name} ${subject} ${Math.floor(now / windowMs)}`;
}
