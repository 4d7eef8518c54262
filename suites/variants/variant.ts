import type { Parts } from "../../reference-server/parts.ts";
import type { ServerClaim } from "../claims.ts";
import type { Alter } from "./proxy.ts";

/** The reference server with other legal choices: certified like any server, and CONFORMANT. */
export interface Variant {
  /** What it does otherwise. */
  readonly choices: readonly string[];
  /** Checks of SHOULD clauses that such choices fail: warnings, which change no verdict. */
  readonly warnings?: readonly string[];
  /** What it is certified for, where not all: a slow server is asked for less. */
  readonly claims?: readonly ServerClaim[];
  /** Choices inside the server. */
  readonly mutate?: (parts: Parts) => Parts;
  /** Choices in what it answers. */
  readonly alter?: Alter;
}
