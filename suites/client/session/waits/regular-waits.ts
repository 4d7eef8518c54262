import type { Wait } from "./backoff.ts";
import { logChoose } from "./late-waits.ts";

/**
 * An upper bound for the probability that waits with the same expected value are this similar, for any jitter
 * of at least half the expected value. The longest quarter of the waits may be excluded, because a busy machine
 * only lengthens waits.
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
