import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { replaceRateLimiter } from "../mutants/operators/limits.ts";

/**
 * A sliding window instead of a fixed window. The first request expires before the others, so after a
 * retry-after only one request passes.
 */
export function slidingWindows(deps: Dependencies): Dependencies {
  const seen: number[][] = [];
  return replaceRateLimiter(deps, (limit, limitIndex, now) => {
    const recent = (seen[limitIndex] ?? []).filter((at) => at > now - limit.windowMs);
    const exceeded = recent.length >= limit.requests;
    if (!exceeded) recent.push(recent.length === 0 ? now - limit.windowMs / 2 : now);
    seen[limitIndex] = recent;
    const count = exceeded ? limit.requests + 1 : recent.length;
    const untilOver = (recent[0] ?? now) + limit.windowMs - now;
    return {
      ...deps.rateLimitStatus(limit, count, now),
      resetSeconds: Math.max(1, Math.ceil(untilOver / 1000)),
    };
  });
}

/** A token bucket with a minute's requests that refills gradually. */
export function tokenBuckets(deps: Dependencies): Dependencies {
  const buckets: { level: number; at: number }[] = [];
  return replaceRateLimiter(deps, ({ requests, windowMs }, limitIndex, now) => {
    const before = buckets[limitIndex] ?? { level: requests, at: now };
    const level = Math.min(requests, before.level + ((now - before.at) * requests) / windowMs);
    const exceeded = level < 1;
    const remaining = exceeded ? level : level - 1;
    buckets[limitIndex] = { level: remaining, at: now };
    const secondsTo = (requestCount: number) =>
      Math.ceil(((requestCount - remaining) * windowMs) / requests / 1000);
    return {
      limit: requests,
      remaining: Math.floor(remaining),
      resetSeconds: Math.max(1, secondsTo(exceeded ? 1 : requests)),
      exceeded,
    };
  });
}

/** A window that ends when its limit is first reached, as may happen at the end of a minute. */
export function windowsThatEndAtTheLimit(deps: Dependencies): Dependencies {
  const windows: { count: number; reached: boolean }[] = [];
  return replaceRateLimiter(deps, (limit, limitIndex, now) => {
    const before = windows[limitIndex] ?? { count: 0, reached: false };
    const status = deps.rateLimitStatus(limit, before.count + 1, now);
    const endsNow = status.exceeded && !before.reached;
    windows[limitIndex] = endsNow ? { count: 0, reached: true } : { ...before, count: before.count + 1 };
    return status;
  });
}
