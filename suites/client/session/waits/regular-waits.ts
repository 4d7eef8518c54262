import { MIN_CHANCE, type Wait, type WaitScale } from "./backoff.ts";
import { areLonger, logChoose, meantSeconds } from "./late-waits.ts";

/**
 * An upper bound for the probability that waits with the same expected value are this similar, for any jitter
 * of at least half of it. The longest quarter may be excluded, because a busy machine only lengthens waits.
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

/** True if waits with the same expected value, or turnarounds, are too similar for any jitter. */
export const areRegular = (waits: readonly Wait[], { turnaround }: WaitScale): boolean =>
  regularity(waits, turnaround.least / 2) < MIN_CHANCE;

/**
 * The bounds of a doubled wait with a quarter of jitter, as multiples of the expected one. A client may have
 * noticed one more failure than the sandbox: a reused connection that was closed.
 */
const MIN_PART = 0.7;
const MAX_PART = 2.5;

/** The factor by which a cap may be exceeded, for clients with a little jitter. */
const ABOVE_A_LIMIT = 1.4;

/** The minimum number of waits that prove anything. A busy machine may distort a few. */
const ENOUGH = 4;

/** True if waits keep growing after one that grew by less than doubling, which no cap explains. */
export function growsTooSlowly(waits: readonly Wait[], scale: WaitScale): boolean {
  const limited = waits.findIndex(({ seconds, nominal }) => seconds < MIN_PART * nominal);
  const limit = waits[limited]?.seconds;
  if (limit === undefined) return false;
  const later = waits.slice(limited + 1);
  const last = later.slice(-Math.max(ENOUGH, Math.ceil(later.length / 2)));
  return last.length >= ENOUGH && areLonger(last, () => ABOVE_A_LIMIT * limit, scale);
}

/** True if more than one wait grew by more than doubling, whichever attempts the client counts. */
export const growsTooFast = (waits: readonly Wait[], scale: WaitScale): boolean =>
  waits.filter((wait) => meantSeconds(wait, scale) > MAX_PART * wait.nominalAtMost).length > 1;
