import type * as frame from "../check.ts";
import type { ClientMutantId } from "../mutants/index.ts";

/** The frame's checks, each naming mutants that there are: a misspelt one doesn't compile. */
export type ClientCheck = frame.ClientCheck<ClientMutantId>;
