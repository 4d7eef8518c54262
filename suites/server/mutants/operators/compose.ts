import type { Mutate } from "../mutant.ts";

/** Combines several faults into one, such as a removed bound and the handling of the value. */
export const compose =
  (...faults: readonly Mutate[]): Mutate =>
  (deps) =>
    faults.reduce((changed, fault) => fault(changed), deps);
