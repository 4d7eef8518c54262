/** Rate limits shared by several instances, counted in Redis. */
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Limiter } from "../dependencies.ts";
import { reasonOf } from "../errors.ts";
import { succeedsWithin } from "../scheduler/timeout.ts";
import { counterOptions } from "./rate-limits.ts";

/** If Redis doesn't respond within this time, Redis counts as unavailable. */
const answerMs = 1000;
const longestPauseMs = 1000;

/**
 * Connects to Redis at a `redis://` URL. Throws if Redis is unreachable. While Redis is down, each instance counts
 * for itself. Refusing every request would let a Redis outage take the service down, and accepting every
 * request would let an attacker switch the limits off.
 */
export async function redisLimiter(url: string): Promise<Limiter> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 3000,
    commandTimeout: answerMs,
    retryStrategy: (attempt) => Math.min(attempt * 50, longestPauseMs),
  });
  // The health check reports a broken connection, and the library reconnects.
  let fault: unknown;
  redis.on("error", (error) => {
    fault = error;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw new Error(`the Redis of REDIS_URL can't be used: ${reasonOf(fault ?? error)}`);
  }
  const counter = new RateLimiterRedis({
    ...counterOptions,
    storeClient: redis,
    keyPrefix: "courier-limit",
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(counterOptions),
  });
  return {
    count: async (key) => (await counter.penalty(key)).consumedPoints,
    read: async (key) => (await counter.get(key))?.consumedPoints ?? 0,
    state: async () => ((await succeedsWithin(answerMs, redis.ping())) ? "ok" : "down"),
    close: async () => redis.disconnect(),
  };
}
