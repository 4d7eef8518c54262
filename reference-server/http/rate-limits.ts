/**
 * Rate limits: whose requests are counted together, how many are left, and what the headers say (specification,
 * Limits). Windows are fixed and start at whole minutes; the number of the window is part of the key that is counted
 * under, so the clock part rules them and a counter needs to know nothing of time.
 */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { RateLimit, RateLimitName } from "../limits.ts";
import type { Parts } from "../parts.ts";
import type { Identity } from "./authentication.ts";

/** Counts requests under a key; keys are forgotten some time after their window. */
export interface Limiter {
  /** The number of requests under this key, this one included. Never throws. */
  count(key: string): Promise<number>;
  /** The same without one more. */
  read(key: string): Promise<number>;
  /** How Redis is, where the counters are kept there. */
  state(): Promise<"ok" | "down" | "none">;
  close(): Promise<void>;
}

/** Keys are kept for three windows, in seconds. The library's own limit isn't used: it is late to know of a change. */
export const counting = { points: 1, duration: 180 };

export function memoryLimiter(): Limiter {
  const counter = new RateLimiterMemory(counting);
  return {
    count: async (key) => (await counter.penalty(key)).consumedPoints,
    read: async (key) => (await counter.get(key))?.consumedPoints ?? 0,
    state: async () => "none",
    close: async () => {},
  };
}

/** A counter: under which limit, for whom, and by which time. */
export interface Bucket {
  limit: RateLimitName;
  who: string;
  now: number;
}

/** What is known of a request when it is counted. `realNow` is real time in ms. */
export interface Counted {
  operationId: string | undefined;
  identity: Identity;
  address: string;
  realNow: number;
}

/** Where a request stands in its window. */
export interface Standing {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
  exceeded: boolean;
}

/** With a valid token the integrator counts, on its own clock; without one the address, on real time. */
export function bucketOf({ operationId, identity, address, realNow }: Counted): Bucket {
  if (operationId === "obtainToken") return { limit: "token", who: address, now: realNow };
  if (operationId === "getTracking") return { limit: "tracking", who: address, now: realNow };
  if ("refusal" in identity) return { limit: "anonymous", who: address, now: realNow };
  return { limit: "integrator", who: identity.integrator.id, now: identity.now };
}

export function standing(limit: RateLimit, count: number, now: number): Standing {
  return {
    limit: limit.requests,
    remaining: Math.max(0, limit.requests - count),
    resetSeconds: Math.ceil((limit.windowMs - (now % limit.windowMs)) / 1000),
    exceeded: count > limit.requests,
  };
}

/** The headers of a response with this status. */
export function limitHeaders(
  { limit, remaining, resetSeconds }: Standing,
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
export async function countRequest(parts: Parts, counted: Counted): Promise<Standing> {
  const bucket = parts.bucketOf(counted);
  const limit = parts.limits.rate[bucket.limit];
  return parts.standing(limit, await parts.limiter.count(keyOf(bucket, limit)), bucket.now);
}

/** Where the next request would stand, without counting one. */
export async function readStanding(parts: Parts, bucket: Bucket): Promise<Standing> {
  const limit = parts.limits.rate[bucket.limit];
  return parts.standing(limit, await parts.limiter.read(keyOf(bucket, limit)), bucket.now);
}

function keyOf({ limit: name, who, now }: Bucket, { windowMs }: RateLimit): string {
  return `${name} ${who} ${Math.floor(now / windowMs)}`;
}
