import * as frame from "../check.ts";
import type { ReceiverMutantId } from "../mutants/index.ts";

/** A check whose mutants must exist; otherwise it doesn't compile. */
export type ReceiverCheck = frame.ReceiverCheck<ReceiverMutantId>;

/** One experiment on a receiver. `needs` determines its context. */
export const receiverCheck = <const Needs extends frame.ReceiverCapability = never>(
  definition: frame.ReceiverCheckDefinition<Needs, ReceiverMutantId>,
): ReceiverCheck => frame.defineReceiverCheck(definition);

/** Defines a check that lasts the whole run. */
export const wholeRunCheck = (definition: frame.WholeRunCheckDefinition<ReceiverMutantId>): ReceiverCheck =>
  frame.defineWholeRunCheck(definition);
