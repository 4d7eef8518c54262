import type { Wait, WaitScale } from "./backoff.ts";

/** The logarithm of the binomial coefficient. */
export const logChoose = (all: number, chosen: number): number => {
  let logarithm = 0;
  for (let i = 1; i <= chosen; i += 1) logarithm += Math.log((all - chosen + i) / i);
  return logarithm;
};

/** The numbers of turnaround times and of waits, and how many of each are above a threshold. */
interface Ranks {
  readonly times: number;
  readonly timesAbove: number;
  readonly waits: number;
  readonly waitsAbove: number;
}

/**
 * The probability that at least `waitsAbove` waits are above the threshold, if times and waits have the same
 * distribution.
 */
function chanceOfRanks({ times, timesAbove, waits, waitsAbove }: Ranks): number {
  const drawn = timesAbove + waitsAbove;
  const all = logChoose(times + waits, drawn);
  let chance = 0;
  for (let i = Math.max(waitsAbove, drawn - times); i <= Math.min(waits, drawn); i += 1) {
    chance += Math.exp(logChoose(waits, i) + logChoose(times, drawn - i) - all);
  }
  return Math.min(1, chance);
}

/** The shares of turnaround times above each tried threshold. */
const SHARES_ABOVE = [0, 0.1, 0.25];

/**
 * An upper bound for the probability that lateness alone makes waits of this intended length as long as these.
 * Assumes only that a busy machine delays a client after a wait as much as between two other requests.
 */
export function chanceOfLength(
  waits: readonly Wait[],
  intended: (wait: Wait) => number,
  { timeScale, turnaround: { times } }: WaitScale,
): number {
  const lateness = waits.map((wait) => wait.gap - wait.lateMs - intended(wait) * timeScale * 1000);
  const chances = SHARES_ABOVE.map((part) => {
    const timesAbove = Math.floor(times.length * part);
    const least = times.at(-1 - timesAbove) ?? Number.POSITIVE_INFINITY;
    const waitsAbove = lateness.filter((ms) => ms > least).length;
    return chanceOfRanks({ times: times.length, timesAbove, waits: waits.length, waitsAbove });
  });
  return Math.min(1, chances.length * Math.min(...chances));
}

/**
 * Milliseconds that a retry may take in addition to the client's usual turnaround, for a new connection or
 * because of a busy machine.
 */
const LATE_MS = 50;

/**
 * A lower bound in nominal seconds for the wait that a client intended: the gap without all time that may have
 * another cause.
 */
export const intendedSeconds = ({ gap, lateMs }: Wait, { timeScale, turnaround }: WaitScale): number =>
  Math.max(0, gap - lateMs - 2 * turnaround.most - LATE_MS) / 1000 / timeScale;

/** If lateness gives long waits with a lower probability than this, the client intended long waits. */
const MIN_CHANCE_OF_LENGTH = 1e-4;

/** True if the client intended waits longer than these nominal seconds, however busy the machine is. */
export const areLonger = (
  waits: readonly Wait[],
  intended: (wait: Wait) => number,
  scale: WaitScale,
): boolean =>
  waits.every((wait) => intendedSeconds(wait, scale) > intended(wait)) &&
  chanceOfLength(waits, intended, scale) < MIN_CHANCE_OF_LENGTH;
