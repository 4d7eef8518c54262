import { MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";
import { areLonger, logChoose, meantSeconds } from "./late-waits.ts";

/**
 * Upper bound on the probability that waits with the same expected value lie so close together, for any jitter that
 * spreads them over half of it. The longest quarter may be left out: a busy machine only lengthens waits.
 * @param otherMs the part of each gap that isn't the client's wait
 */
export function regularity(waits: readonly Wait[], otherMs: number): number {
  const gaps = waits.map(({ gap }) => gap).toSorted((a, b) => a - b);
  const [shortest = 0] = gaps;
  const chances = gaps.slice(Math.ceil(gaps.length * 0.75) - 1).map((longest, i) => {
    const kept = Math.ceil(gaps.length * 0.75) + i;
    const part = Math.min(1, (2 * (longest - shortest)) / Math.max(1, longest - otherMs));
    return gaps.length * Math.exp(logChoose(gaps.length - 1, kept - 1)) * part ** (kept - 1);
  });
  return gaps.length < 2 || shortest <= otherMs ? 1 : Math.min(1, chances.length * Math.min(...chances));
}

/** True if waits with the same expected value, or turnarounds, lie too close together for any jitter. */
export const areRegular = (waits: readonly Wait[], { turnaround }: WaitScale): boolean =>
  regularity(waits, turnaround.least / 2) < MIN_CHANCE;

/**
 * The bounds of a doubled wait with a quarter of jitter, as multiples of the expected one. A client may have
 * seen one more failure than the sandbox: a connection that closed when it was reused.
 */
const LEAST_PART = 0.7;
const MOST_PART = 2.5;

/** The factor by which a cap may be exceeded, for clients with a little jitter. */
const ABOVE_A_LIMIT = 1.4;

/** The fewest waits that prove anything: a busy machine may distort a few. */
const ENOUGH = 4;

/** True if waits keep growing after a wait below doubling, which no cap explains. */
export function growsTooSlowly(waits: readonly Wait[], scale: WaitScale): boolean {
  const limited = waits.findIndex(({ seconds, nominal }) => seconds < LEAST_PART * nominal);
  const limit = waits[limited]?.seconds;
  if (limit === undefined) return false;
  const later = waits.slice(limited + 1);
  const last = later.slice(-Math.max(ENOUGH, Math.ceil(later.length / 2)));
  return last.length >= ENOUGH && areLonger(last, () => ABOVE_A_LIMIT * limit, scale);
}

/** True if more than one wait is beyond doubling, whichever attempts the client counts. */
export const growsTooFast = (waits: readonly Wait[], scale: WaitScale): boolean =>
  waits.filter((wait) => meantSeconds(wait, scale) > MOST_PART * wait.nominalAtMost).length > 1;
