import { setTimeout as timer } from "node:timers/promises";

/** This machine's clock: the only place in the suites that reads it. Milliseconds since 1970. */
export const wallClock = (): number => Date.now();

/** Milliseconds on a monotonic clock, for durations. */
export const monotonicNow = (): number => performance.now();

/** A Unix time in milliseconds as RFC 3339 in UTC. */
export const isoInstant = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Node stores a timer's milliseconds in 31 bits. A longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Limits a delay to the longest that a timer supports. */
export const timerMs = (milliseconds: number): number => Math.min(milliseconds, LONGEST_TIMER_MS);

/** Waits in real time. Only for rate limits, polling and deliberate delays. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  timer(Math.max(0, milliseconds), undefined, signal ? { signal } : {});

/**
 * Polls until the result is defined, and returns it. Undefined once the deadline has passed. The last poll
 * starts at the deadline, so the interval doesn't cut off a slow response.
 */
export async function poll<T>(
  question: () => Promise<T | undefined>,
  { within, every = 25 }: { within: number; every?: number },
): Promise<T | undefined> {
  const deadline = monotonicNow() + within;
  for (;;) {
    const answer = await question();
    if (answer !== undefined || monotonicNow() >= deadline) return answer;
    await pause(Math.min(every, deadline - monotonicNow()));
  }
}
