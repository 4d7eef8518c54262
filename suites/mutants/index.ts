import type { Mutant } from "./mutant.ts";

/** Every mutant by its id: one file per group of checks that catches them. */
export const mutants = {} satisfies Record<string, Mutant>;

export type MutantId = keyof typeof mutants;
