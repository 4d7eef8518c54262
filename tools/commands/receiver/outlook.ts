import { inUnits } from "../../../suites/core/durations.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";

/** The number of responses in a run, and how many of them it waits for sequentially. */
const ANSWERS = {
  withEffects: { all: 940, sequential: 14 },
  withoutEffects: { all: 510, sequential: 9 },
} as const;

const JOBS = 8;
export const MAX_JOBS = 96;
/**
 * The numbers of concurrent events that a slow receiver gets. The second burst follows if the receiver processes the
 * first concurrently.
 */
export const BURSTS = [8, MAX_JOBS] as const;

/** Concurrent events. */
export interface Burst {
  readonly size: number;
  /** The number of events with the same status as a single one. The receiver refused the others as too many. */
  readonly answered: number;
  /** The milliseconds until the last response. */
  readonly ms: number;
}

/** The response times of a receiver. */
export interface Latency {
  /** The milliseconds of one event. */
  readonly one: number;
  /** The last burst. Undefined for a fast receiver, which gets none. */
  readonly burst: Burst | undefined;
}

/** True if the receiver processed the whole burst concurrently. */
export const isConcurrent = (one: number, { ms }: Burst): boolean => ms < 2 * one;

/**
 * The number of concurrent checks, and of concurrent deliveries. A slow receiver may process few requests at a time, so
 * the number keeps each response within half of the specification's limit.
 */
export const jobsFor = ({ one, burst }: Latency): number => {
  if (burst === undefined) return JOBS;
  const { size, answered, ms } = burst;
  // Well below the number at which it refuses events.
  const accepted = answered < size ? answered / 2 : MAX_JOBS;
  const inTime = isConcurrent(one, burst) ? size : (answered * ANSWER_LIMIT_MS) / 2 / ms;
  return Math.max(1, Math.floor(Math.min(accepted, inTime, MAX_JOBS)));
};

interface Outlook {
  readonly latency: Latency;
  readonly jobs: number;
  /** The share of checks that run. */
  readonly share: number;
  readonly hasEffects: boolean;
}

/** An estimate of the duration, if responses are slow. */
export function outlookOf({ latency, jobs, share, hasEffects }: Outlook): string | undefined {
  const { one, burst } = latency;
  if (burst === undefined) return undefined;
  const { all, sequential } = hasEffects ? ANSWERS.withEffects : ANSWERS.withoutEffects;
  // If a receiver processes few requests at a time, its total processing time determines the duration.
  const processing = isConcurrent(one, burst) ? 0 : burst.ms / burst.answered;
  const expectedMs = Math.max((sequential + all / jobs) * one, all * processing) * share;
  return `the receiver takes ${inUnits(one / 1000)} to respond: this run will take about ${inUnits(expectedMs / 1000)}`;
}
