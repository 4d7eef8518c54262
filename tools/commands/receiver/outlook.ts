import { inUnits } from "../../../suites/core/durations.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";

/** The number of responses for which the exclusive checks wait, one after another. */
const ANSWERS_ALONE = 95;
/** The number of responses in all other checks, which run concurrently. */
const ANSWERS_BESIDE = 570;
/** The number of requests in a run. */
const ANSWERS = 940;
/** The number of responses for which the longest of these checks waits. */
const LONGEST = 32;
/** Faster receivers get no estimate. */
const SLOW_MS = 250;

const JOBS = 8;
export const MAX_JOBS = 24;

/**
 * A receiver's response times in milliseconds: for one event, and for {@link MAX_JOBS} concurrent events.
 */
export interface Latency {
  readonly one: number;
  /** Undefined for a fast receiver, for which it isn't measured. */
  readonly atOnce: number | undefined;
}

export const isSlow = (answerMs: number): boolean => answerMs >= SLOW_MS;

/**
 * The number of concurrent checks. A slow receiver may process one request at a time, so the number keeps
 * each response within half of the specification's limit.
 */
export const jobsFor = ({ atOnce }: Latency): number =>
  atOnce === undefined
    ? JOBS
    : Math.max(1, Math.min(MAX_JOBS, Math.floor((MAX_JOBS * ANSWER_LIMIT_MS) / 2 / atOnce)));

export interface Outlook {
  readonly latency: Latency;
  readonly jobs: number;
  /** The share of checks that run. */
  readonly share: number;
}

/** An estimate of the duration, if responses are slow. */
export function outlookOf({ latency: { one, atOnce }, jobs, share }: Outlook): string | undefined {
  if (atOnce === undefined) return undefined;
  const inTurn = (ANSWERS_ALONE + Math.max(ANSWERS_BESIDE / jobs, LONGEST)) * one;
  // If a receiver processes few requests at a time, its total processing time determines the duration.
  const expectedMs = Math.max(inTurn, (ANSWERS * atOnce) / MAX_JOBS) * share;
  return `the receiver takes ${inUnits(one / 1000)} to answer: this will take about ${inUnits(expectedMs / 1000)}`;
}
