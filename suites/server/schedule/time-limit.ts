import { type AnyCheck, type Check, isActive } from "../check.ts";

/** The usual limit: enough for sequential responses of a slow target and one or two rate limit windows. */
const PLAIN_MS = 300_000;
/**
 * The limit for checks that exhaust rate limits or run many sequences of steps, which take several minutes.
 */
const LONG_MS = 1_800_000;

/** True for a check that takes much longer than others. */
export const isLong = ({ id, isolation }: Pick<Check, "id"> & Partial<Pick<Check, "isolation">>): boolean =>
  isolation === "runs-last" || /^(models|limits)\./.test(id);

/**
 * The time in milliseconds after which a check counts as hanging, for test runners with shorter default
 * timeouts. No check asserts it.
 * @param maxWaitMs the longest allowed wait of a check, if the clock can't be advanced
 */
export function timeLimitMs(check: AnyCheck, maxWaitMs = 0): number {
  if (!isActive(check)) return PLAIN_MS;
  return (isLong(check) ? LONG_MS : PLAIN_MS) + Math.min(check.virtualSeconds * 1000, maxWaitMs);
}
