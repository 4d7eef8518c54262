import { inUnits } from "../../../suites/core/durations.ts";

/** As many answers a run of all checks waits for one after the other, with four checks at a time. */
const ANSWERS_IN_TURN = 160;
/** What is quicker isn't worth a line. */
const SLOW_MS = 250;

/**
 * How long a run will take, where answers are slow.
 * @param share of all checks that are run
 */
export function outlookOf(answerMs: number, share: number): string | undefined {
  if (answerMs < SLOW_MS) return undefined;
  const seconds = answerMs / 1000;
  return `the receiver takes ${inUnits(seconds)} to answer: this will take about ${inUnits(ANSWERS_IN_TURN * seconds * share)}`;
}
