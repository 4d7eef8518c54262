import { FIRST_S, GROWS_TO_S, MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";
import { regularity } from "./regular-waits.ts";

/** The factor by which a wait must be below the growth of the first wait. */
const MARGIN = 0.85;

/** The fewest waits that show jitter. */
const ENOUGH = 3;

/** Jitter is excluded if later waits are this similar by chance less often than this. */
const MIN_CHANCE_LATER = 1e-4;

/** The shorter half of waits with jitter varies by at least this fraction of the nominal value. */
const SPREAD_OF_JITTER = 0.15;

/**
 * True if waits with one nominal value vary by more than the turnaround. A single late wait proves nothing.
 */
function areSpread(waits: readonly Wait[], { timeScale, turnaround }: WaitScale): boolean {
  const gaps = waits.map(({ gap }) => gap).toSorted((a, b) => a - b);
  const [shortest = 0, median = 0] = [gaps[0], gaps[Math.floor((gaps.length - 1) / 2)]];
  const jitter = SPREAD_OF_JITTER * (waits[0]?.nominal ?? 0) * timeScale * 1000;
  return gaps.length >= ENOUGH && median - shortest > jitter + turnaround.most - turnaround.least;
}

/** Whether the client's waits vary like jitter. */
export type Scatter = "none" | "unclear" | "jitter";

/**
 * Judges the first waits of all calls and the later waits separately, because some clients only vary the
 * later ones.
 * @param calls the waits of each call
 */
export function scatterOf(calls: readonly (readonly Wait[])[], scale: WaitScale): Scatter {
  const [first = [], second = [], third = []] = [FIRST_S, 2 * FIRST_S, GROWS_TO_S].map((due) =>
    calls.flat().filter(({ nominal }) => nominal === due),
  );
  if (regularity(first) < MIN_CHANCE && regularity(second) * regularity(third) < MIN_CHANCE_LATER)
    return "none";
  return [first, second, third].some((waits) => areSpread(waits, scale)) ? "jitter" : "unclear";
}

/** The minimum fraction of its nominal value that a first wait certainly had, at most 1. */
function firstPart(waits: readonly Wait[], { timeScale, turnaround }: WaitScale): number {
  const least = Math.min(...waits.map(({ gap, lateMs }) => gap - lateMs)) - turnaround.most;
  return Math.min(1, Math.max(0, least) / 1000 / timeScale / FIRST_S);
}

/** The waits of a call whose third wait is too short for 1, 2, 4, in comparison with all first waits. */
export function flatWaits(
  calls: readonly (readonly Wait[])[],
  scale: WaitScale,
): readonly Wait[] | undefined {
  const first = calls.flat().filter(({ nominal }) => nominal === FIRST_S);
  if (first.length === 0) return undefined;
  const least = MARGIN * firstPart(first, scale);
  return calls.find((of) =>
    of.some(({ nominal, seconds }) => nominal === GROWS_TO_S && seconds < least * nominal),
  );
}
