import type { Catchable } from "../../core/mutation/catching.ts";
import type { ReceiverDependencies } from "../reference-receiver/dependencies.ts";

/** A receiver with one fault. The fault violates a clause, and isn't an open point. */
export interface ReceiverMutant extends Catchable {
  readonly fault: string;
  readonly caughtBy: readonly string[];
  readonly mutate: (deps: ReceiverDependencies) => ReceiverDependencies;
}

/** Replaces some dependencies of a correct receiver. */
export const alterDependencies =
  (change: (original: ReceiverDependencies) => Partial<ReceiverDependencies>): ReceiverMutant["mutate"] =>
  (deps) => ({ ...deps, ...change(deps) });

/** Resolves after other pending work has run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
