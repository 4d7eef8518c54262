/** Clocks for tests. */
import type { Dependencies } from "../dependencies.ts";

/** Only advances move the clock, so that the machine's load doesn't change any time. */
export function withStandingClock(deps: Dependencies): Dependencies {
  const now = Date.UTC(2030, 4, 1);
  return { ...deps, clock: { ...deps.clock, now: () => now } };
}

/** Tokens that remain valid when the clock advances by days. */
export function withLongLivedTokens(deps: Dependencies): Dependencies {
  return { ...deps, limits: { ...deps.limits, tokenSeconds: 100 * 24 * 3600 } };
}
