import * as frame from "../check.ts";
import type { ReceiverMutantId } from "../mutants/index.ts";

/** The frame's checks, each naming mutants that there are: a misspelt one doesn't compile. */
export type ReceiverCheck = frame.ReceiverCheck<ReceiverMutantId>;

/** One experiment on a receiver; `needs` decides what its context holds. */
export const receiverCheck = <const Needs extends frame.ReceiverCapability = never>(
  definition: frame.ReceiverCheckDefinition<Needs, ReceiverMutantId>,
): ReceiverCheck => frame.defineReceiverCheck(definition);

/** One experiment on a receiver that lasts as long as the run does. */
export const wholeRunCheck = (definition: frame.WholeRunCheckDefinition<ReceiverMutantId>): ReceiverCheck =>
  frame.defineWholeRunCheck(definition);
