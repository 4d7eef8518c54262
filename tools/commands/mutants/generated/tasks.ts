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
  /** `last`: one that exhausts a limit. */
  readonly kind: "experiment" | "last" | "passive";
}

export type Task =
  | { readonly kind: "reach"; readonly checks: readonly string[] }
  | {
      readonly kind: "judge";
      readonly mutant: string;
      /** Whether modules have to be loaded anew for it. */
      readonly fresh: boolean;
      /** Checks to run beside each other, on a server for each stage: the next only where nothing failed. */
      readonly stages: readonly (readonly string[])[];
    };

/** What a run of checks, one after the other, came to. */
export interface Reached {
  /** Mutants that were come to while modules were loaded. */
  readonly loading: readonly string[];
  /** Those that each check came to, and that were come to before the first. */
  readonly by: Readonly<Record<string, readonly string[]>>;
  /** Milliseconds. */
  readonly took: Readonly<Record<string, number>>;
  readonly ended: Readonly<Record<string, CheckStatus>>;
}

/** How it went with a mutant. */
export type Judged =
  | { readonly kind: "killed"; readonly killer: string }
  /** A loop that doesn't end, or nothing came of it in its time. */
  | { readonly kind: "endless" }
  /** No server came of it, or it took the process with it. */
  | { readonly kind: "dead"; readonly why: string }
  /** Nothing failed, but a check couldn't be made: the server isn't certified either. */
  | { readonly kind: "incomplete"; readonly why: string }
  | { readonly kind: "survived" };

export type Told =
  | { readonly kind: "ready"; readonly checks: readonly CheckName[] }
  | { readonly kind: "done"; readonly result: Reached | Judged };
