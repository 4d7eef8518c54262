import type { CheckStatus } from "../grading/outcome.ts";

interface MutationRun {
  /** The ids of the mutants to run; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** True to run all checks on each mutant, for the whole matrix. */
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
