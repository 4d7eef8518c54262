/** What tests do with time, for the parts of a server. */
import type { Parts } from "../parts.ts";

/** Only advances move the clock: how long anything takes on a busy machine is in no time that it writes. */
export function withStandingClock(parts: Parts): Parts {
  const now = Date.UTC(2030, 4, 1);
  return { ...parts, clock: { ...parts.clock, now: () => now } };
}

/** Tokens outlive clocks that are moved by days. */
export function withLongLivedTokens(parts: Parts): Parts {
  return { ...parts, limits: { ...parts.limits, tokenSeconds: 100 * 24 * 3600 } };
}
