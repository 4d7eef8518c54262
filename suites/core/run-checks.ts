import { forEachConcurrently } from "./concurrency.ts";
import type { Outcome } from "./grading/outcome.ts";

/** The checks of a run, in the order in which they run. */
export interface RunOrder<Check> {
  /** What others build on: step by step before all others, those of a step beside each other. */
  readonly ahead?: readonly (readonly Check[])[];
  /** Those that run beside each other. */
  readonly concurrent: readonly Check[];
  /** Those that run one at a time, at the end. */
  readonly serial: readonly Check[];
}

export const runOrder = <Check>(
  checks: readonly Check[],
  isSerial: (check: Check) => boolean,
): RunOrder<Check> => ({
  concurrent: checks.filter((check) => !isSerial(check)),
  serial: checks.filter(isSerial),
});

export const inSequence = <Check>(checks: readonly Check[]): RunOrder<Check> => ({
  concurrent: [],
  serial: checks,
});

/**
 * Runs the checks, and says how each ended, by its id.
 * @param run never throws
 * @param jobs how many run beside each other
 */
export async function runChecks<Check extends { readonly id: string }>(
  { ahead = [], concurrent, serial }: RunOrder<Check>,
  run: (check: Check) => Promise<Outcome>,
  jobs = 1,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const runOne = async (check: Check) => {
    outcomes.set(check.id, await run(check));
  };
  for (const step of ahead) await forEachConcurrently(step, jobs, runOne);
  await forEachConcurrently(concurrent, jobs, runOne);
  await forEachConcurrently(serial, 1, runOne);
  return outcomes;
}
