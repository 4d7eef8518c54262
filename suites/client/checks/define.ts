import type * as frame from "../check.ts";
import type { ClientMutantId } from "../mutants/index.ts";

/** A check whose mutants must exist; otherwise it doesn't compile. */
export type ClientCheck = frame.ClientCheck<ClientMutantId>;
