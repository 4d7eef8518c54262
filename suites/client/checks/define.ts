import type * as frame from "../check.ts";
import type { ClientMutantId } from "../mutants/index.ts";

/** Checks whose mutants are typed: a misspelt name doesn't compile. */
export type ClientCheck = frame.ClientCheck<ClientMutantId>;
