import * as generic from "../check.ts";
import type { ReceiverMutantId } from "../mutants/index.ts";

/** A check. Its list of mutants contains only mutants that exist; another name doesn't compile. */
export type ReceiverCheck = generic.ReceiverCheck<ReceiverMutantId>;

/** Defines a check of a receiver. `needs` determines the type of the context. */
export const receiverCheck = <const Needs extends generic.ReceiverCapability = never>(
  definition: generic.ReceiverCheckDefinition<Needs, ReceiverMutantId>,
): ReceiverCheck => generic.defineReceiverCheck(definition);

/** Defines a check that lasts the whole run. */
export const wholeRunCheck = (definition: generic.WholeRunCheckDefinition<ReceiverMutantId>): ReceiverCheck =>
  generic.defineWholeRunCheck(definition);
