import type { OpenPoints } from "../../../openapi/generated/clauses.ts";
import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { ServerClaim } from "../../core/contract/claims.ts";
import type { Rewrite } from "./proxy.ts";

/** A server's choices at open points. */
export type Choices = Readonly<Partial<OpenPoints>>;

/** The reference server with other legal choices. It must be CONFORMANT. */
export interface Variant {
  /** The open points that the variant resolves differently from the reference server. */
  readonly choices: Choices;
  /** Other differences, where HTTP or the timing leaves a choice. */
  readonly otherDifferences?: readonly string[];
  /** Checks of SHOULD clauses that fail because of the variant's choices, without an effect on the verdict. */
  readonly warnings?: readonly string[];
  readonly claims?: readonly ServerClaim[];
  /** The declared limitations. */
  readonly without?: readonly DeclarationName[];
  /** The time limit for eventual effects in milliseconds. */
  readonly eventualTimeoutMs?: number;
  /** Globs of the ids of excluded checks. */
  readonly excludedChecks?: readonly string[];
  readonly mutate?: (deps: Dependencies) => Dependencies;
  readonly rewrite?: Rewrite;
}
