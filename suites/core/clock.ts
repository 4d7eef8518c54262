import { setTimeout as timer } from "node:timers/promises";

/** This machine's clock: the only place in the suites that reads it. Milliseconds since 1970. */
export const wallClock = (): number => Date.now();

/** Milliseconds on a monotonic clock, for durations. */
export const monotonicNow = (): number => performance.now();

/** An instant, or a number of milliseconds since 1970, as RFC 3339 in UTC. */
export const isoInstant = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A timer that is to run for longer ends at once: its milliseconds are kept in 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Limits a delay to the longest that a timer supports. */
export const timerMs = (milliseconds: number): number => Math.min(milliseconds, LONGEST_TIMER_MS);

/** Waits for time to pass on this machine: only for limits of the target, for polling, and for deliberate delays. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  timer(Math.max(0, milliseconds), undefined, signal ? { signal } : {});

/**
 * Polls until the answer is defined and returns it. Undefined once the deadline has passed. The last poll starts at the
 * deadline, so the interval doesn't cut off a slow answer.
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
