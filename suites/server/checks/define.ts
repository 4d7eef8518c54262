import type { Capability } from "../capabilities.ts";
import * as frame from "../check.ts";
import type { MutantId } from "../mutants/index.ts";

/** The frame's checks, each naming mutants that there are: a misspelt one doesn't compile. */
export type Check = frame.Check<MutantId>;
export type PassiveCheck = frame.PassiveCheck<MutantId>;

/** One experiment; `needs` decides what its context holds. */
export const check = <const Needs extends Capability = never>(
  definition: frame.CheckDefinition<Needs, MutantId>,
): Check => frame.defineCheck(definition);

/** A look at every exchange of the run. */
export const passiveCheck = (definition: Omit<PassiveCheck, "kind">): PassiveCheck => ({
  ...definition,
  kind: "passive",
});
