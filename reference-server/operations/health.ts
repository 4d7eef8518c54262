import { succeedsWithin } from "../scheduler/timeout.ts";
import type { PublicOperation } from "./operation.ts";

/** A database that doesn't respond within this time counts as unavailable. */
const answerMs = 2000;

/**
 * 200, or 503 with `ok: false` if the database or Redis doesn't respond, or if the disk is full (`full`).
 * The state of Redis is `none` for a server without Redis.
 */
export const getHealth: PublicOperation<"getHealth"> = async ({ deps }) => {
  const [isThere, redis, free] = await Promise.all([
    succeedsWithin(answerMs, deps.records.clocks.lastAdvance(deps.database)),
    deps.limiter.state(),
    deps.storage.freeBytes().catch(() => undefined),
  ]);
  const isFull = free !== undefined && free < deps.limits.minFreeBytes;
  const db = !isThere ? "down" : isFull ? "full" : "ok";
  const ok = db === "ok" && redis !== "down";
  return { status: ok ? 200 : 503, body: { ok, version: deps.apiVersion, db, redis } };
};
