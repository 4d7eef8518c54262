import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { RateLimit } from "../../../../reference-server/limits.ts";

/** Counts a request of an integrator or IP address at `now`, and decides whether it is within the limit. */
type Judge = (limit: RateLimit, place: number, now: number) => ReturnType<Dependencies["rateLimitStatus"]>;

/** Replaces the rate limiter. It uses the limited client's clock (OPEN-223). */
export function replaceRateLimiter(deps: Dependencies, judge: Judge): Dependencies {
  const places: string[] = [];
  return {
    ...deps,
    limiter: {
      ...deps.limiter,
      // Returns the client's number instead of a count, because the time isn't known here.
      async count(key) {
        const identity = key.split(" ").slice(0, -1).join(" ");
        const place = places.indexOf(identity);
        return place < 0 ? places.push(identity) - 1 : place;
      },
    },
    rateLimitStatus: judge,
  };
}
