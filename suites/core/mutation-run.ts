import type { CheckStatus } from "./grading/outcome.ts";

/** What `npm run mutants` asks for beyond the gate of `npm test`. */
export interface MutationRun {
  /** Ids of the mutants to try; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** Also try the checks that don't name the mutant, for the whole matrix. */
  readonly full: boolean;
  /** Only see how each check ends in a run like a person's, and hold nothing against it. */
  readonly signatures?: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    mutants?: MutationRun;
  }
  interface TaskMeta {
    /** How each check that was tried on the mutant ended. */
    mutantStatuses?: Readonly<Record<string, CheckStatus>>;
  }
}
