import { MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";

/** The allowance for a retry beyond the usual turnaround, for new connections and busy machines. */
const LATE_MS = 50;

/** The minimum seconds of the client's intended wait. */
export const meantSeconds = ({ gap, lateMs }: Wait, { timeScale, turnaround }: WaitScale): number =>
  Math.max(0, gap - lateMs - 2 * turnaround.most - LATE_MS) / 1000 / timeScale;

const chooseFrom = (all: number, chosen: number): number => {
  let ways = 1;
  for (let i = 1; i <= chosen; i += 1) ways *= (all - chosen + i) / i;
  return ways;
};

/**
 * An upper bound for the probability that waits with a uniform half are this close together, ignoring the
 * longest ones, because a busy machine only lengthens waits.
 */
function chanceOfCloseness(sorted: readonly number[], kept: number): number {
  const [shortest = 0] = sorted;
  const longest = sorted[kept - 1] ?? 0;
  if (shortest <= 0) return 1;
  const part = Math.min(1, 2 * (1 - shortest / longest));
  return sorted.length * chooseFrom(sorted.length - 1, kept - 1) * part ** (kept - 1);
}

/**
 * An upper bound for the probability that waits with one expected value are this close together, for any
 * jitter over at least half of it.
 */
export function regularity(waits: readonly Wait[]): number {
  const sorted = waits.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  if (sorted.length < 2) return 1;
  const cut = Math.floor(sorted.length / 4);
  const chances = Array.from({ length: cut + 1 }, (_, i) => chanceOfCloseness(sorted, sorted.length - i));
  return Math.min(1, chances.length * Math.min(...chances));
}

/** True if waits with one expected value are too close together for any jitter. */
export const areRegular = (waits: readonly Wait[]): boolean => regularity(waits) < MIN_CHANCE;

/**
 * The bounds of a doubled wait with a quarter of jitter, as multiples of the expected one. A client may have
 * seen one more failure than the sandbox: a connection that closed when it was reused.
 */
const LEAST_PART = 0.7;
const MOST_PART = 2.5;

/** The factor by which a cap may be exceeded, for clients with a little jitter. */
const ABOVE_A_LIMIT = 1.4;

/** The fewest waits for a conclusion, because a busy machine may distort some. */
const ENOUGH = 3;

/** True if waits keep growing after a wait below doubling, which no cap explains. */
export function growsTooSlowly(waits: readonly Wait[], scale: WaitScale): boolean {
  const limited = waits.findIndex(({ seconds, nominal }) => seconds < LEAST_PART * nominal);
  const limit = waits[limited]?.seconds;
  if (limit === undefined) return false;
  const later = waits.slice(limited + 1);
  const last = later.slice(-Math.max(ENOUGH, Math.ceil(later.length / 2)));
  return last.length >= ENOUGH && last.every((wait) => meantSeconds(wait, scale) > ABOVE_A_LIMIT * limit);
}

/** True if more than one wait is beyond doubling, whichever attempts the client counts. */
export const growsTooFast = (waits: readonly Wait[], scale: WaitScale): boolean =>
  waits.filter((wait) => meantSeconds(wait, scale) > MOST_PART * wait.nominalAtMost).length > 1;
