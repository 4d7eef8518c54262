import type { Capability } from "../capabilities.ts";
import * as frame from "../check.ts";
import type { MutantId } from "../mutants/index.ts";

/** A check whose mutants must exist; otherwise it doesn't compile. */
export type Check = frame.Check<MutantId>;
export type PassiveCheck = frame.PassiveCheck<MutantId>;

/** Defines an experiment. `needs` determines its context. */
export const check = <const Needs extends Capability = never>(
  definition: frame.CheckDefinition<Needs, MutantId>,
): Check => frame.defineCheck(definition);

/** Defines a passive check, which judges every exchange of the run. */
export const passiveCheck = (definition: Omit<PassiveCheck, "kind">): PassiveCheck => ({
  ...definition,
  kind: "passive",
});
