import * as frame from "../check.ts";
import type { ReceiverMutantId } from "../mutants/index.ts";

/** A check. Its list of mutants contains only mutants that exist; another name doesn't compile. */
export type ReceiverCheck = frame.ReceiverCheck<ReceiverMutantId>;

/** Defines a check of a receiver. `needs` determines the type of the context. */
export const receiverCheck = <const Needs extends frame.ReceiverCapability = never>(
  definition: frame.ReceiverCheckDefinition<Needs, ReceiverMutantId>,
): ReceiverCheck => frame.defineReceiverCheck(definition);

/** Defines a check that lasts the whole run. */
export const wholeRunCheck = (definition: frame.WholeRunCheckDefinition<ReceiverMutantId>): ReceiverCheck =>
  frame.defineWholeRunCheck(definition);
