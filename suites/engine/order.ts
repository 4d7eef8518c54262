import * as fc from "fast-check";

/** The checks of a run, in the order in which they run. */
export interface RunOrder<Check> {
  /** Checks that last as long as the run. They start first. */
  readonly wholeRun?: readonly Check[];
  /** Prerequisites of other checks. The steps run in order, the checks of a step concurrently. */
  readonly ahead?: readonly (readonly Check[])[];
  /** Checks that run concurrently. */
  readonly concurrent: readonly Check[];
  /** Checks that run one at a time after the concurrent ones. */
  readonly serial: readonly Check[];
  /** Checks that only judge other checks' exchanges. They run last. */
  readonly passive?: readonly Check[];
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

/** The checks in a seeded order. */
export function shuffled<Check>(checks: readonly Check[], seed: number): readonly Check[] {
  const whole = fc.shuffledSubarray([...checks], { minLength: checks.length });
  return fc.sample(whole, { seed, numRuns: 1 })[0] ?? checks;
}
