import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import type { EventKind } from "../../core/contract/event-kinds.ts";
import type { ReceiverDependencies } from "../reference-receiver/dependencies.ts";
import type { ServeOptions } from "../reference-receiver/serve.ts";
import type { Statuses } from "../session/statuses.ts";

/** A conforming receiver that differs from the reference receiver. */
export interface ReceiverVariant {
  /** The receiver's legal choices, in words. */
  readonly choices: readonly string[];
  /**
   * Checks of SHOULD clauses that fail or have no evidence because of the receiver's choices. They don't affect
   * the verdict.
   */
  readonly warnings?: readonly string[];
  readonly mutate?: (deps: ReceiverDependencies) => ReceiverDependencies;
  readonly options?: ServeOptions;
  /** The strings of states that the receiver knows. Defaults to the specified strings. */
  readonly statuses?: Statuses;
  /** The types that the receiver has subscribed to. Defaults to the default types. */
  readonly eventTypes?: readonly EventKind[];
  readonly without?: readonly DeclarationName[];
  /** The query of the receiver's URL. */
  readonly query?: string;
}
