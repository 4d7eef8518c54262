import { inUnits } from "../../../suites/core/durations.ts";

/** The number of responses that the exclusive checks wait for, one after another. */
const ANSWERS_ALONE = 95;
/** The number of responses in all other checks, which run concurrently. */
const ANSWERS_BESIDE = 570;
/** The shortest response time with an estimate. */
const SLOW_MS = 250;

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
  const inTurn = (ANSWERS_ALONE + ANSWERS_BESIDE / jobs) * share;
  return `the receiver takes ${inUnits(seconds)} to answer: this will take about ${inUnits(inTurn * seconds)}`;
}
