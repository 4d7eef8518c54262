import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import type { EventKind } from "../../core/contract/event-kinds.ts";
import type { ReceiverDependencies } from "../reference-receiver/dependencies.ts";
import type { ServeOptions } from "../reference-receiver/serve.ts";
import type { Statuses } from "../session/statuses.ts";

/** A conforming receiver that differs from the correct one. */
export interface ReceiverVariant {
  /** Its legal choices. */
  readonly choices: readonly string[];
  /**
   * Checks of SHOULD clauses that fail or have no evidence because of its choices, without an effect on the
   * verdict.
   */
  readonly warnings?: readonly string[];
  readonly mutate?: (deps: ReceiverDependencies) => ReceiverDependencies;
  readonly options?: ServeOptions;
  /** The state strings that it knows. Defaults to the specified ones. */
  readonly statuses?: Statuses;
  /** The subscribed types. Defaults to the default ones. */
  readonly eventTypes?: readonly EventKind[];
  readonly without?: readonly DeclarationName[];
  /** The query of the receiver's URL. */
  readonly query?: string;
}
