import { authenticationMutants } from "./authentication.ts";
import { contentTypeMutants } from "./content-type.ts";
import { errorMutants } from "./errors.ts";
import { healthMutants } from "./health.ts";
import { limitMutants } from "./limits.ts";
import type { Mutant } from "./mutant.ts";
import { passiveMutants } from "./passive.ts";
import { timeMutants } from "./times.ts";
import { tokenMutants } from "./tokens.ts";
import { versioningMutants } from "./versioning.ts";

/** Every mutant by its id: one file per group of checks that catches them. */
export const mutants = {
  ...authenticationMutants,
  ...tokenMutants,
  ...versioningMutants,
  ...contentTypeMutants,
  ...timeMutants,
  ...errorMutants,
  ...limitMutants,
  ...healthMutants,
  ...passiveMutants,
} satisfies Record<string, Mutant>;

export type MutantId = keyof typeof mutants;
