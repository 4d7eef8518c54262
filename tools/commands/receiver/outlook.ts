import { inUnits } from "../../../suites/core/durations.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";

/** The number of responses that the exclusive checks wait for, one after another. */
const ANSWERS_ALONE = 95;
/** The number of responses in all other checks, which run concurrently. */
const ANSWERS_BESIDE = 570;
/** The number of requests in a run. */
const ANSWERS = 940;
/** The answers that the longest of these checks waits for. */
const LONGEST = 32;
/** The shortest response time with an estimate. */
const SLOW_MS = 250;

const JOBS = 8;
export const MOST_JOBS = 24;

/** The response times of a receiver in milliseconds: of one event, and of {@link MOST_JOBS} events at once. */
export interface Latency {
  readonly one: number;
  /** Undefined for a fast receiver, which isn't asked. */
  readonly atOnce: number | undefined;
}

export const isSlow = (answerMs: number): boolean => answerMs >= SLOW_MS;

/**
 * The number of checks at a time for a receiver of this latency. A slow one may answer one request at a time, so this
 * many keep each answer within half of the specification's limit.
 */
export const jobsFor = ({ atOnce }: Latency): number =>
  atOnce === undefined
    ? JOBS
    : Math.max(1, Math.min(MOST_JOBS, Math.floor((MOST_JOBS * ANSWER_LIMIT_MS) / 2 / atOnce)));

export interface Outlook {
  readonly latency: Latency;
  /** The number of concurrent checks. */
  readonly jobs: number;
  /** The share of checks that run. */
  readonly share: number;
}

/** An estimate of the duration, if responses are slow. */
export function outlookOf({ latency: { one, atOnce }, jobs, share }: Outlook): string | undefined {
  if (atOnce === undefined) return undefined;
  const inTurn = (ANSWERS_ALONE + Math.max(ANSWERS_BESIDE / jobs, LONGEST)) * one;
  // A receiver that answers few requests at a time needs as long for all of them as it needs for each.
  const expectedMs = Math.max(inTurn, (ANSWERS * atOnce) / MOST_JOBS) * share;
  return `the receiver takes ${inUnits(one / 1000)} to answer: this will take about ${inUnits(expectedMs / 1000)}`;
}
