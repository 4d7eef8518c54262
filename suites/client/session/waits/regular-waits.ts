import { MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";

/** Allowance for a retry beyond the client's usual turnaround: new connections and busy machines take time. */
const LATE_MS = 50;

/** Lower bound in seconds of the wait that a client intended, without all other time that it may have used. */
export const meantSeconds = ({ gap, lateMs }: Wait, { timeScale, turnaround }: WaitScale): number =>
  Math.max(0, gap - lateMs - 2 * turnaround.most - LATE_MS) / 1000 / timeScale;

const chooseFrom = (all: number, chosen: number): number => {
  let ways = 1;
  for (let i = 1; i <= chosen; i += 1) ways *= (all - chosen + i) / i;
  return ways;
};

/**
 * Upper bound on the probability that waits with a uniform half lie so close together, without the longest few: a busy
 * machine only lengthens waits.
 */
function chanceOfCloseness(sorted: readonly number[], kept: number): number {
  const [shortest = 0] = sorted;
  const longest = sorted[kept - 1] ?? 0;
  if (shortest <= 0) return 1;
  const part = Math.min(1, 2 * (1 - shortest / longest));
  return sorted.length * chooseFrom(sorted.length - 1, kept - 1) * part ** (kept - 1);
}

/**
 * Upper bound on the probability that waits with the same expected value lie so close together, for any jitter that
 * spreads them over half of it.
 */
export function regularity(waits: readonly Wait[]): number {
  const sorted = waits.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  if (sorted.length < 2) return 1;
  const cut = Math.floor(sorted.length / 4);
  const chances = Array.from({ length: cut + 1 }, (_, i) => chanceOfCloseness(sorted, sorted.length - i));
  return Math.min(1, chances.length * Math.min(...chances));
}

/** True if waits with the same expected value lie too close together for any jitter. */
export const areRegular = (waits: readonly Wait[]): boolean => regularity(waits) < MIN_CHANCE;

/**
 * Bounds as multiples of the expected wait. A wait outside of them isn't a doubled wait with jitter of a quarter. A
 * client may have seen one more failure than the sandbox did: a connection that closed as it was used.
 */
const LEAST_PART = 0.7;
const MOST_PART = 2.5;

/** A cap holds within this factor, for clients that add a little jitter. */
const ABOVE_A_LIMIT = 1.4;

/** The fewest waits that prove anything: a busy machine may distort one or two. */
const ENOUGH = 3;

/** True if a client's waits keep growing after a wait shorter than a doubling, so that no cap explains it. */
export function growsTooSlowly(waits: readonly Wait[], scale: WaitScale): boolean {
  const limited = waits.findIndex(({ seconds, nominal }) => seconds < LEAST_PART * nominal);
  const limit = waits[limited]?.seconds;
  if (limit === undefined) return false;
  const later = waits.slice(limited + 1);
  const last = later.slice(-Math.max(ENOUGH, Math.ceil(later.length / 2)));
  return last.length >= ENOUGH && last.every((wait) => meantSeconds(wait, scale) > ABOVE_A_LIMIT * limit);
}

/** True if more than one of a client's waits is longer than a doubling, whichever tries it counts. */
export const growsTooFast = (waits: readonly Wait[], scale: WaitScale): boolean =>
  waits.filter((wait) => meantSeconds(wait, scale) > MOST_PART * wait.nominalAtMost).length > 1;
