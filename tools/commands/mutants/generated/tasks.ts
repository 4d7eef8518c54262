/** The messages to and from the threads that test mutants. */
import type { CheckStatus } from "../../../../suites/core/grading/outcome.ts";

export interface WorkerSources {
  /** Instrumented source by the URL of its module. */
  readonly sources: ReadonlyMap<string, string>;
  /** The URL of the reference server's folder. */
  readonly folder: string;
}

export interface CheckName {
  readonly id: string;
  /** `last`: a check that exhausts a rate limit, and therefore runs last. */
  readonly kind: "active" | "last" | "passive";
}

export type Task =
  | { readonly kind: "reach"; readonly checks: readonly string[] }
  | {
      readonly kind: "judge";
      readonly mutant: string;
      /** True if the server's modules must be reloaded with the mutant. */
      readonly fresh: boolean;
      /** Checks to run concurrently, on a new server per stage. The next stage runs only if nothing failed. */
      readonly stages: readonly (readonly string[])[];
    };

/** The code that checks execute, when run one after another. */
export interface ReachedMutants {
  /** Mutants whose code ran while modules loaded. */
  readonly loading: readonly string[];
  /** Mutants whose code ran, by check, and before the first check. */
  readonly by: Readonly<Record<string, readonly string[]>>;
  /** Milliseconds. */
  readonly took: Readonly<Record<string, number>>;
  readonly ended: Readonly<Record<string, CheckStatus>>;
}

/** The result of a mutant. */
export type MutantResult =
  | { readonly kind: "killed"; readonly killer: string }
  /** An endless loop, or a timeout. */
  | { readonly kind: "endless" }
  /** The server didn't start, or the process crashed. */
  | { readonly kind: "dead"; readonly why: string }
  /** Nothing failed, but a check couldn't run, so the server isn't certified. */
  | { readonly kind: "incomplete"; readonly why: string }
  | { readonly kind: "survived" };

export type WorkerMessage =
  | { readonly kind: "ready"; readonly checks: readonly CheckName[] }
  | { readonly kind: "done"; readonly result: ReachedMutants | MutantResult };
