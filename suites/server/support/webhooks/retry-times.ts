/**
 * The delays before the second to eighth attempt in seconds (specification, Events: Delivery, retry and
 * closing).
 */
export const RETRY_DELAYS_S = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** The allowed jitter, which is unspecified (OPEN-191): a fifth of the delay. */
const JITTER = 0.2;

/** The most seconds tolerated before the end of a delay, for clocks, rounding, and the start of the delay. */
const MAX_EARLY_S = 5;

/** The interval at which a server may look for attempts to send. */
const SENT_WITHIN_S = 5;

/** The most seconds tolerated after the end of a delay with its jitter (OPEN-191). */
const MAX_LATE_S = 15;

/** The time limit of a response (specification, Events: Delivery, retry and closing). */
export const RESPONSE_TIMEOUT_S = 15;

/** The longest time until an attempt has been sent and has timed out. */
export const ATTEMPT_S = RESPONSE_TIMEOUT_S + SENT_WITHIN_S;

/** The seconds after a failure by which the next attempt has certainly been made. */
export const secondsUntilRetry = (delay: number): number => Math.ceil(delay * (1 + JITTER)) + SENT_WITHIN_S;

/** The tolerated seconds before the end of a delay. */
const toleratedEarlyS = (delay: number): number => Math.min(MAX_EARLY_S, delay * JITTER);

/** The bounds of the seconds between two attempts if the first attempt failed at once. Times may be rounded. */
export const gapBounds = (delay: number): { readonly earliest: number; readonly latest: number } => ({
  earliest: Math.floor(delay - toleratedEarlyS(delay)) - 1,
  latest: Math.ceil(delay * (1 + JITTER)) + MAX_LATE_S + 1,
});

/**
 * The minimum seconds between two attempts if the clock was advanced beyond the previous delay. A target may count
 * the next delay from the end of the previous one.
 */
export const earliestAfterLeap = (delay: number): number => Math.floor(delay * (1 - JITTER)) - 1;

/** The seconds after a failure in which a retry would be too early. */
export const quietS = (delay: number): number => Math.floor(delay - 1.25 * toleratedEarlyS(delay));

/** The seconds by which all of these delays have certainly passed. */
export const secondsUntilLastRetry = (delays: readonly number[]): number =>
  delays.reduce((sum, delay) => sum + secondsUntilRetry(delay), 0);
