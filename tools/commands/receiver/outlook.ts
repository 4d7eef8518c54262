import { inUnits } from "../../../suites/core/durations.ts";

/** Answers that the checks which run alone wait for, one after the other … */
const ANSWERS_ALONE = 95;
/** … and those of all other checks, of which several run at a time. */
const ANSWERS_BESIDE = 570;
/** Faster answers need no estimate. */
const SLOW_MS = 250;

export interface Outlook {
  /** Time that one answer takes, milliseconds. */
  readonly answerMs: number;
  /** Number of checks at a time. */
  readonly jobs: number;
  /** The share of all checks that run. */
  readonly share: number;
}

/** An estimate of a run's duration if answers are slow. */
export function outlookOf({ answerMs, jobs, share }: Outlook): string | undefined {
  if (answerMs < SLOW_MS) return undefined;
  const seconds = answerMs / 1000;
  const inTurn = (ANSWERS_ALONE + ANSWERS_BESIDE / jobs) * share;
  return `the receiver takes ${inUnits(seconds)} to answer: this will take about ${inUnits(inTurn * seconds)}`;
}
