import type { Capability } from "../capabilities.ts";
import * as generic from "../check.ts";
import type { MutantId } from "../mutants/index.ts";

/** A check. Its list of mutants contains only mutants that exist; another name doesn't compile. */
export type Check = generic.Check<MutantId>;
export type PassiveCheck = generic.PassiveCheck<MutantId>;

/** Defines a check that sends requests. `needs` determines the type of the context. */
export const check = <const Needs extends Capability = never>(
  definition: generic.CheckDefinition<Needs, MutantId>,
): Check => generic.defineCheck(definition);

export const passiveCheck = (definition: Omit<PassiveCheck, "kind">): PassiveCheck => ({
  ...definition,
  kind: "passive",
});
