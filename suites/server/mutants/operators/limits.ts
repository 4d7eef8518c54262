import type { RateLimit } from "../../../../reference-server/limits.ts";
import type { Parts } from "../../../../reference-server/parts.ts";

/** Counts a request of an integrator or IP address at `now`, and decides whether it is within the limit. */
type Judge = (limit: RateLimit, place: number, now: number) => ReturnType<Parts["rateLimitStatus"]>;

/** Replaces the rate limiter. It uses the limited client's clock (OPEN-223). */
export function replaceRateLimiter(parts: Parts, judge: Judge): Parts {
  const places: string[] = [];
  return {
    ...parts,
    limiter: {
      ...parts.limiter,
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
