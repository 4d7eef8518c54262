import { FIRST_S, GROWS_TO_S, MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";
import { regularity } from "./regular-waits.ts";

/** A wait counts as shorter than the first one's growth only with this margin. */
const MARGIN = 0.85;

/** Fewer waits don't show whether they scatter. */
const ENOUGH = 3;

/** Jitter is ruled out where chance makes later waits so alike less often than this. */
const MIN_CHANCE_LATER = 1e-4;

/** The shorter half of waits with jitter spreads over this part of their nominal value at least. */
const SPREAD_OF_JITTER = 0.15;

/** Whether waits with one nominal value differ by more than a client's turnaround does: a late wait alone shows nothing. */
function areSpread(waits: readonly Wait[], { timeScale, turnaround }: WaitScale): boolean {
  const gaps = waits.map(({ gap }) => gap).toSorted((a, b) => a - b);
  const [shortest = 0, median = 0] = [gaps[0], gaps[Math.floor((gaps.length - 1) / 2)]];
  const jitter = SPREAD_OF_JITTER * (waits[0]?.nominal ?? 0) * timeScale * 1000;
  return gaps.length >= ENOUGH && median - shortest > jitter + turnaround.most - turnaround.least;
}

/** Whether the waits of a client scatter as those with jitter do. */
export type Scatter = "none" | "unclear" | "jitter";

/**
 * Judges the first waits of all calls, and those after them: some clients wait for a second first and draw the rest.
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

/** The shortest part of its nominal value that a first wait surely lasted, 1 at most. */
function firstPart(waits: readonly Wait[], { timeScale, turnaround }: WaitScale): number {
  const least = Math.min(...waits.map(({ gap }) => gap)) - turnaround.most;
  return Math.min(1, Math.max(0, least) / 1000 / timeScale / FIRST_S);
}

/** The waits of a call whose third one is too short for 1, 2, 4, measured against the first waits of all calls. */
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
