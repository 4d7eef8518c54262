import { inUnits } from "../../../suites/core/durations.ts";
import { ANSWER_LIMIT_MS } from "../../../suites/receiver/session/settings.ts";

/** The number of responses that the exclusive checks wait for, one after another. */
const ANSWERS_ALONE = 95;
/** The number of responses in all other checks, which run concurrently. */
const ANSWERS_BESIDE = 570;
/** The answers that the longest of these checks waits for. */
const LONGEST = 43;
/** The shortest response time with an estimate. */
const SLOW_MS = 250;

const JOBS = 8;
export const MOST_JOBS = 16;

/**
 * The number of checks at a time for a receiver of this latency. A slow receiver may answer one request at a time, and
 * still answers all of them within half of the specification's limit.
 */
export const jobsFor = (answerMs: number): number =>
  answerMs >= SLOW_MS && MOST_JOBS * answerMs <= ANSWER_LIMIT_MS / 2 ? MOST_JOBS : JOBS;

export interface Outlook {
  /** The response time in milliseconds. */
  readonly answerMs: number;
  /** The number of concurrent checks. */
  readonly jobs: number;
  /** The share of checks that run. */
  readonly share: number;
}

/** An estimate of the duration, if responses are slow. */
export function outlookOf({ answerMs, jobs, share }: Outlook): string | undefined {
  if (answerMs < SLOW_MS) return undefined;
  const seconds = answerMs / 1000;
  const inTurn = (ANSWERS_ALONE + Math.max(ANSWERS_BESIDE / jobs, LONGEST)) * share;
  return `the receiver takes ${inUnits(seconds)} to answer: this will take about ${inUnits(inTurn * seconds)}`;
}
