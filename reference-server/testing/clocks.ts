/** Clocks and long-lived tokens for tests. */
import type { Dependencies } from "../dependencies.ts";

/** A clock that stands still between advances, so that a slow machine doesn't change times. */
export function withStandingClock(deps: Dependencies): Dependencies {
  const now = Date.UTC(2030, 4, 1);
  return { ...deps, clock: { ...deps.clock, now: () => now } };
}

/** Tokens that remain valid when the clock advances by days. */
export function withLongLivedTokens(deps: Dependencies): Dependencies {
  return { ...deps, limits: { ...deps.limits, tokenSeconds: 100 * 24 * 3600 } };
}
