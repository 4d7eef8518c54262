import { FIRST_S, MIN_CAP_S, MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";
import { chanceOfLength } from "./late-waits.ts";
import { regularity } from "./regular-waits.ts";

/** A wait counts as not growing if it is below this part of the wait that the specified growth would give. */
const MARGIN = 0.85;

/**
 * If the similarity of later waits has a lower probability than this under jitter, the client has no jitter.
 */
const MIN_CHANCE_LATER = 1e-4;

/**
 * An upper estimate of the probability that waits without jitter differ this much because a busy machine
 * lengthened some of them.
 */
function chanceOfSpread(waits: readonly Wait[], scale: WaitScale): number {
  const shortest = Math.min(...waits.map(({ gap }) => gap)) / 1000 / scale.timeScale;
  return chanceOfLength(waits, () => shortest, scale);
}

/** Whether the client's waits vary like jitter. */
export type Scatter = "none" | "unclear" | "jitter";

/**
 * Judges the first waits of all calls separately from the later waits, because some clients vary only later
 * waits.
 * @param calls the waits of each call
 */
export function scatterOf(calls: readonly (readonly Wait[])[], scale: WaitScale): Scatter {
  // Excludes waits before which a library may have retried too, because such waits have the same nominal value
  // as waits of another length.
  const certain = calls.flat().filter(({ nominal, nominalAtMost }) => nominal === nominalAtMost);
  const [first = [], second = [], third = []] = [FIRST_S, 2 * FIRST_S, MIN_CAP_S].map((due) =>
    certain.filter(({ nominal }) => nominal === due),
  );
  const [firsts = 1, seconds = 1, thirds = 1] = [first, second, third].map((waits) =>
    regularity(waits, scale.turnaround.most),
  );
  if (firsts < MIN_CHANCE && seconds * thirds < MIN_CHANCE_LATER) return "none";
  const chances = [first, second, third].map((waits) => chanceOfSpread(waits, scale));
  return chances.some((chance) => chance < MIN_CHANCE_LATER) ? "jitter" : "unclear";
}

/** The shortest first wait as a fraction of its nominal value, at most 1. */
function firstPart(waits: readonly Wait[], timeScale: number, allowanceMs: number): number {
  const least = Math.min(...waits.map(({ gap }) => gap)) - allowanceMs;
  return Math.min(1, Math.max(0, least) / 1000 / timeScale / FIRST_S);
}

const firstWaits = (calls: readonly (readonly Wait[])[]): readonly Wait[] =>
  calls.flat().filter(({ nominal }) => nominal === FIRST_S);

/**
 * The waits of a call whose third wait is too short for 1, 2, 4, with the first waits of all calls as the
 * reference.
 */
export function flatWaits(
  calls: readonly (readonly Wait[])[],
  scale: WaitScale,
): readonly Wait[] | undefined {
  const first = firstWaits(calls);
  if (first.every(({ lateMs }) => lateMs > 0)) return undefined;
  const least = MARGIN * firstPart(first, scale.timeScale, scale.turnaround.most);
  return calls.find((of) =>
    of.some(({ nominal, seconds }) => nominal === MIN_CAP_S && seconds < least * nominal),
  );
}

/** If lateness gives long third waits with a lower probability than this, the client's waits grow. */
const MIN_CHANCE_OF_GROWTH = 5e-4;

/**
 * The third waits, unless they are certainly longer than the third waits of a client whose waits don't grow
 * like 1, 2, 4.
 */
export function perhapsFlatWaits(
  calls: readonly (readonly Wait[])[],
  scale: WaitScale,
): readonly Wait[] | undefined {
  const part = MARGIN * firstPart(firstWaits(calls), scale.timeScale, 0);
  const third = calls.flatMap((of) => of.find(({ nominal }) => nominal === MIN_CAP_S) ?? []);
  const chance = chanceOfLength(third, ({ nominal }) => part * nominal, scale);
  return third.length > 0 && chance >= MIN_CHANCE_OF_GROWTH ? third : undefined;
}
