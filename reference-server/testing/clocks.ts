/** Clocks for tests. */
import type { Parts } from "../parts.ts";

/** Only advances move the clock, so that the machine's load doesn't change any time. */
export function withStandingClock(parts: Parts): Parts {
  const now = Date.UTC(2030, 4, 1);
  return { ...parts, clock: { ...parts.clock, now: () => now } };
}

/** Tokens that remain valid when the clock advances by days. */
export function withLongLivedTokens(parts: Parts): Parts {
  return { ...parts, limits: { ...parts.limits, tokenSeconds: 100 * 24 * 3600 } };
}
