/** Limits of several instances together, counted in Redis. */
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { reasonOf } from "../errors.ts";
import type { Limiter } from "../parts.ts";
import { succeedsWithin } from "../scheduler/timeout.ts";
import { counterOptions } from "./rate-limits.ts";

/** A Redis that doesn't answer by then is taken for gone. */
const answerMs = 1000;
const longestPauseMs = 1000;

/**
 * Connects to the Redis at a `redis://` address; throws where there is none.
 *
 * While Redis is away later on, each instance counts for itself. Refusing everyone would take the whole service down with
 * a part that keeps no records, and letting everyone pass would leave it open to whoever breaks that part; so the limits
 * still hold, as often as there are instances, until the connection is back.
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
  // A connection that breaks is told of by the health check, and is made again by itself.
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
