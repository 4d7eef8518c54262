import type { RateLimit } from "../../reference-server/limits.ts";
import type { Parts } from "../../reference-server/parts.ts";

/** What a limit makes of the requests of one identity or address: a request at `now`, counted and judged. */
type Judge = (limit: RateLimit, place: number, now: number) => ReturnType<Parts["standing"]>;

/** Has every request judged in a way of its own, by the clock of whoever is limited (OPEN-223). */
function judging(parts: Parts, judge: Judge): Parts {
  const places: string[] = [];
  return {
    ...parts,
    limiter: {
      ...parts.limiter,
      // In place of a number of requests the number of whose requests they are, since the time isn't known here.
      async count(key) {
        const identity = key.split(" ").slice(0, -1).join(" ");
        const place = places.indexOf(identity);
        return place < 0 ? places.push(identity) - 1 : place;
      },
    },
    standing: judge,
  };
}

/** A window that slides, in place of one that starts at the minute. */
export function slidingWindows(parts: Parts): Parts {
  const seen: number[][] = [];
  return judging(parts, (limit, place, now) => {
    const recent = (seen[place] ?? []).filter((at) => at > now - limit.windowMs);
    recent.push(now);
    seen[place] = recent;
    return { ...parts.standing(limit, recent.length, now), resetSeconds: 60 };
  });
}

/** A bucket that holds a minute's requests and is filled again drop by drop, in place of a window. */
export function tokenBuckets(parts: Parts): Parts {
  const buckets: { level: number; at: number }[] = [];
  return judging(parts, ({ requests, windowMs }, place, now) => {
    const before = buckets[place] ?? { level: requests, at: now };
    const level = Math.min(requests, before.level + ((now - before.at) * requests) / windowMs);
    const exceeded = level < 1;
    const left = exceeded ? level : level - 1;
    buckets[place] = { level: left, at: now };
    const secondsTo = (wanted: number) => Math.ceil(((wanted - left) * windowMs) / requests / 1000);
    return {
      limit: requests,
      remaining: Math.floor(left),
      resetSeconds: Math.max(1, secondsTo(exceeded ? 1 : requests)),
      exceeded,
    };
  });
}
