import { type AnyCheck, type Check, isExperiment } from "../check.ts";

/** A slow target's answers, waited for one after the other, and a minute of its limits once or twice. */
const PLAIN_MS = 300_000;
/**
 * Limit for checks that exhaust limits, or play a delivery's whole life in many variations: they need several minutes.
 */
const LONG_MS = 1_800_000;

/** True if other checks end long before it. */
export const isLong = ({ id, exclusive }: Pick<Check, "id"> & Partial<Pick<Check, "exclusive">>): boolean =>
  exclusive === "last" || /^(models|limits)\./.test(id);

/**
 * Time after which a check counts as hanging, in milliseconds. It is for test runners, whose default timeouts are
 * shorter than the time that a conforming service may be away. No check asserts it.
 * @param maxWaitMs time that the target's definition lets a check wait
 */
export function timeLimitMs(check: AnyCheck, maxWaitMs = 0): number {
  if (!isExperiment(check)) return PLAIN_MS;
  return (isLong(check) ? LONG_MS : PLAIN_MS) + Math.min(check.virtualSeconds * 1000, maxWaitMs);
}
