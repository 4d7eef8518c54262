import * as frame from "../check.ts";
import type { ReceiverMutantId } from "../mutants/index.ts";

/** Checks whose mutants are typed: a misspelt name doesn't compile. */
export type ReceiverCheck = frame.ReceiverCheck<ReceiverMutantId>;

/** One experiment on a receiver. `needs` determines its context. */
export const receiverCheck = <const Needs extends frame.ReceiverCapability = never>(
  definition: frame.ReceiverCheckDefinition<Needs, ReceiverMutantId>,
): ReceiverCheck => frame.defineReceiverCheck(definition);

/** One experiment on a receiver that lasts as long as the run. */
export const wholeRunCheck = (definition: frame.WholeRunCheckDefinition<ReceiverMutantId>): ReceiverCheck =>
  frame.defineWholeRunCheck(definition);
