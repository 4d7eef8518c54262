import type { CheckStatus } from "../grading/outcome.ts";

/** Ends a run that hangs: `npm run mutants` doesn't read the tests' configuration. */
export const LONGEST_MUTANT_RUN_MS = 600_000;

/** Options of `npm run mutants` beyond the gate of `npm test`. */
interface MutationRun {
  /** Ids of the mutants to try; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** True if checks that don't name the mutant are tried too, for the whole matrix. */
  readonly full: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    mutants?: MutationRun;
  }
  interface TaskMeta {
    /** The status of each check that was tried on the mutant. */
    mutantStatuses?: Readonly<Record<string, CheckStatus>>;
  }
}
