import type { ReceiverDependencies } from "../reference-receiver/dependencies.ts";

/** A receiver with one fault, which violates a clause and no open point. */
export interface ReceiverMutant {
  readonly fault: string;
  readonly mutate: (deps: ReceiverDependencies) => ReceiverDependencies;
}

/** Changes some dependencies of a correct receiver. */
export const alterDependencies =
  (change: (right: ReceiverDependencies) => Partial<ReceiverDependencies>): ReceiverMutant["mutate"] =>
  (deps) => ({ ...deps, ...change(deps) });

/** Resolves after other pending work has run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
