import type { Check } from "../check.ts";
import { ROUNDS } from "./check-rounds.ts";

/** Answers that a check waits for one after the other, where nothing was measured: it is a short one. */
const USUAL_ROUNDS = 3;
/** A check that waits for more answers than this, one after the other, is one that the whole run may wait for. */
const LONG_ROUNDS = 100;

type Known = Pick<Check, "id"> & Partial<Pick<Check, "alone" | "waitsAnyway">>;

/** How many answers a check waits for one after the other: its length, whatever the target's latency. */
export const roundsOf = ({ id }: Known): number => ROUNDS[id] ?? USUAL_ROUNDS;

/** What a check waits for besides answers, milliseconds. */
export const waitsAnywayMs = ({ waitsAnyway = 0 }: Known): number => waitsAnyway * 1000;

/** Whether the run may have to wait for the check, so that its requests go before others. */
export const isLong = (check: Known): boolean => roundsOf(check) >= LONG_ROUNDS;

/**
 * Those that take longest come first, so that no long one is left over when all others have ended: at their head those
 * that wait anyway, which at a near target take longer than all others. What runs last, one at a time, stays in its
 * order: what one uses up another may have to wait for.
 */
export function longestFirst<One extends Known>(checks: readonly One[]): readonly One[] {
  const isLast = ({ alone }: One) => alone === "last";
  return checks.toSorted((one, other) => {
    if (isLast(one) || isLast(other)) return Number(isLast(one)) - Number(isLast(other));
    return waitsAnywayMs(other) - waitsAnywayMs(one) || roundsOf(other) - roundsOf(one);
  });
}
