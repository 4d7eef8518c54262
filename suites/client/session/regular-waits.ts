import { MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";

/** What a client may take for its next try beyond what it takes anyway: connections are opened anew, machines are busy. */
const LATE_MS = 50;

/** Seconds at least that a client meant to wait, with whatever it may have taken besides taken out. */
export const meantSeconds = ({ gap }: Wait, { timeScale, turnaround }: WaitScale): number =>
  Math.max(0, gap - 2 * turnaround.most - LATE_MS) / 1000 / timeScale;

const chooseFrom = (all: number, chosen: number): number => {
  let ways = 1;
  for (let i = 1; i <= chosen; i += 1) ways *= (all - chosen + i) / i;
  return ways;
};

/**
 * The chance at most that waits of which half is drawn evenly lie so close together, the longest few aside: what a busy
 * machine adds makes waits longer, and never shorter.
 */
function chanceOfCloseness(sorted: readonly number[], kept: number): number {
  const [shortest = 0] = sorted;
  const longest = sorted[kept - 1] ?? 0;
  if (shortest <= 0) return 1;
  const part = Math.min(1, 2 * (1 - shortest / longest));
  return sorted.length * chooseFrom(sorted.length - 1, kept - 1) * part ** (kept - 1);
}

/**
 * The chance at most that waits with the same expected value lie so close together, for any jitter that spreads them over
 * half of it.
 */
export function regularity(waits: readonly Wait[]): number {
  const sorted = waits.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  if (sorted.length < 2) return 1;
  const cut = Math.floor(sorted.length / 4);
  const chances = Array.from({ length: cut + 1 }, (_, i) => chanceOfCloseness(sorted, sorted.length - i));
  return Math.min(1, chances.length * Math.min(...chances));
}

/** Whether waits with the same expected value lie too close together for any jitter. */
export const areRegular = (waits: readonly Wait[]): boolean => regularity(waits) < MIN_CHANCE;

/**
 * Parts of what is due: below and above them a wait isn't that of a doubling, with a quarter more or less for jitter. A
 * client may know of one failure more than came here: a connection that was closed as it was used.
 */
const LEAST_PART = 0.7;
const MOST_PART = 2.5;

/** A limit is kept to within this factor, where a client adds a little jitter. */
const ABOVE_A_LIMIT = 1.4;

/** So many waits tell: what a busy machine does to one or two says nothing of the client. */
const ENOUGH = 3;

/** Whether a client's waits go on growing, where they were shorter than a doubling: so that no limit is the reason. */
export function growsTooSlowly(waits: readonly Wait[], scale: WaitScale): boolean {
  const limited = waits.findIndex(({ seconds, nominal }) => seconds < LEAST_PART * nominal);
  const limit = waits[limited]?.seconds;
  if (limit === undefined) return false;
  const later = waits.slice(limited + 1);
  const last = later.slice(-Math.max(ENOUGH, Math.ceil(later.length / 2)));
  return last.length >= ENOUGH && last.every((wait) => meantSeconds(wait, scale) > ABOVE_A_LIMIT * limit);
}

/** Whether a client's waits are longer than a doubling makes them, more than once, whichever tries it has counted. */
export const growsTooFast = (waits: readonly Wait[], scale: WaitScale): boolean =>
  waits.filter((wait) => meantSeconds(wait, scale) > MOST_PART * wait.nominalAtMost).length > 1;
