import { inUnits } from "../../../suites/core/durations.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";

/** The number of responses in a run, and the number of those that are awaited one after another. */
const ANSWERS = {
  withEffects: { all: 940, sequential: 14 },
  withoutEffects: { all: 510, sequential: 9 },
} as const;

const JOBS = 8;
export const MAX_JOBS = 96;
/**
 * The numbers of events in the bursts that a slow receiver gets. The second burst is sent if the receiver processes the
 * first burst concurrently.
 */
export const BURSTS = [8, MAX_JOBS] as const;

/** The result of sending events at the same time. */
export interface Burst {
  readonly size: number;
  /** The number of events with the same status as a single event. The receiver refused the rest as too many. */
  readonly answered: number;
  /** The time until the last response, in milliseconds. */
  readonly ms: number;
}

/** The response times of a receiver. */
export interface Latency {
  /** The response time of a single event, in milliseconds. */
  readonly one: number;
  /** The last burst; undefined for a fast receiver, which gets no burst. */
  readonly burst: Burst | undefined;
}

/** True if the receiver processed all events of the burst concurrently. */
export const isConcurrent = (one: number, { ms }: Burst): boolean => ms < 2 * one;

/**
 * The number of concurrent checks, and of concurrent deliveries. It keeps each response within half of the
 * specification's limit, because a slow receiver may process few requests at the same time.
 */
export const jobsFor = ({ one, burst }: Latency): number => {
  if (burst === undefined) return JOBS;
  const { size, answered, ms } = burst;
  // After a burst of which the receiver refused a part, half of the accepted number is safe.
  const accepted = answered < size ? answered / 2 : MAX_JOBS;
  const inTime = isConcurrent(one, burst) ? size : (answered * ANSWER_LIMIT_MS) / 2 / ms;
  return Math.max(1, Math.floor(Math.min(accepted, inTime, MAX_JOBS)));
};

interface Outlook {
  readonly latency: Latency;
  readonly jobs: number;
  /** The fraction of the suite's checks that run. */
  readonly share: number;
  readonly hasEffects: boolean;
}

/** An estimate of the duration, if responses are slow. */
export function outlookOf({ latency, jobs, share, hasEffects }: Outlook): string | undefined {
  const { one, burst } = latency;
  if (burst === undefined) return undefined;
  const { all, sequential } = hasEffects ? ANSWERS.withEffects : ANSWERS.withoutEffects;
  // The processing time of all events is a lower bound for a receiver that processes few at the same time.
  const processing = isConcurrent(one, burst) ? 0 : burst.ms / burst.answered;
  const expectedMs = Math.max((sequential + all / jobs) * one, all * processing) * share;
  return `the receiver takes ${inUnits(one / 1000)} to respond: this run takes about ${inUnits(expectedMs / 1000)}`;
}
