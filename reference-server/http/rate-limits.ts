/**
 * Rate limits: the key and limit of a request, the remaining requests, and the headers (specification,
 * Limits). An integrator's first window starts when the integrator is created, and an address's windows start at whole
 * minutes. The counter's key includes the window's number, so counters need no clock.
 */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Bucket, CountedRequest, Dependencies, Limiter, RateLimitStatus } from "../dependencies.ts";
import type { RateLimit } from "../limits.ts";
import type { Integrator } from "../records/integrators.ts";

/**
 * Keys expire after three windows. The library's own limit is disabled, because it reacts late to changes.
 */
export const counterOptions = { points: 1, duration: 180 };

/** @param keptSeconds the real time for which a key is kept; 0 for unlimited */
export function memoryLimiter(keptSeconds = counterOptions.duration): Limiter {
  const counter = new RateLimiterMemory({ ...counterOptions, duration: keptSeconds });
  return {
    count: async (key) => (await counter.penalty(key)).consumedPoints,
    read: async (key) => (await counter.get(key))?.consumedPoints ?? 0,
    state: async () => "none",
    close: async () => {},
  };
}

/** The counter of an integrator's requests. `now` is the integrator's time. */
export const integratorBucket = (
  { id, created_at }: Pick<Integrator, "id" | "created_at">,
  now: number,
): Bucket => ({
  limit: "integrator",
  subject: id,
  now: now - created_at,
});

/**
 * With a valid token, the integrator's counter on its clock; without one, the address's counter on real time.
 */
export function bucketOf({ operationId, identity, address, realNow }: CountedRequest): Bucket {
  if (operationId === "obtainToken") return { limit: "token", subject: address, now: realNow };
  if (operationId === "getTracking") return { limit: "tracking", subject: address, now: realNow };
  if ("refusal" in identity) return { limit: "anonymous", subject: address, now: realNow };
  return integratorBucket(identity.integrator, identity.now);
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

/** Counts a request and returns its position. */
export async function countRequest(deps: Dependencies, counted: CountedRequest): Promise<RateLimitStatus> {
  const bucket = deps.bucketOf(counted);
  const limit = deps.limits.rate[bucket.limit];
  return deps.rateLimitStatus(limit, await deps.limiter.count(keyOf(bucket, limit)), bucket.now);
}

/** The position that the next request would have. Counts nothing. */
export async function readRateLimit(deps: Dependencies, bucket: Bucket): Promise<RateLimitStatus> {
  const limit = deps.limits.rate[bucket.limit];
  return deps.rateLimitStatus(limit, await deps.limiter.read(keyOf(bucket, limit)), bucket.now);
}

function keyOf({ limit: name, subject, now }: Bucket, { windowMs }: RateLimit): string {
  return `${name} ${subject} ${Math.floor(now / windowMs)}`;
}
