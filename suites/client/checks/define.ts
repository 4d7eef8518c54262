import type * as generic from "../check.ts";
import type { ClientMutantId } from "../mutants/index.ts";

/** A check. Its list of mutants contains only mutants that exist; another name doesn't compile. */
export type ClientCheck = generic.ClientCheck<ClientMutantId>;
