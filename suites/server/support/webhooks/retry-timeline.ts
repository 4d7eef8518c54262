import { isoInstant } from "../../../core/clock.ts";
import type { TimelineTrack } from "../../../core/grading/outcome.ts";
import type { AttemptSequence } from "./attempt-sequence.ts";
import { LAST_SECOND, sentAt } from "./attempt-times.ts";
import { gapBounds, RETRY_DELAYS_S } from "./retry-times.ts";

/**
 * The attempts of one event with their expected times. Each attempt is expected after the previous attempt, or
 * after its expected time if the previous attempt is missing.
 * @param count the number of expected attempts
 */
export function trackOf(name: string, sequence: AttemptSequence, count: number): TimelineTrack {
  // An invalid timestamp is another check's finding.
  const times = sequence.attempts.map(sentAt).filter((at) => Math.abs(at) <= LAST_SECOND);
  const [start = 0] = times;
  const expected: { earliest_s: number; due_s: number; latest_s: number }[] = [];
  let before = 0;
  for (const [index, delay] of RETRY_DELAYS_S.slice(0, count - 1).entries()) {
    const { earliest, latest } = gapBounds(delay);
    expected.push({ earliest_s: before + earliest, due_s: before + delay, latest_s: before + latest });
    const received = times[index + 1];
    before = received === undefined ? before + delay : received - start;
  }
  return {
    name,
    attempts: times.map((at) => ({ at: isoInstant(at * 1000), after_s: at - start })),
    expected: [{ earliest_s: 0, due_s: 0, latest_s: 0 }, ...expected],
  };
}
