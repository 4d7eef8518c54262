import type { Mutate } from "../mutant.ts";

/** Several faults that make one together: a bound that is gone, and what the server then does with the value. */
export const compose =
  (...faults: readonly Mutate[]): Mutate =>
  (parts) =>
    faults.reduce((changed, fault) => fault(changed), parts);
