import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import type { EventKind } from "../../core/contract/event-kinds.ts";
import type { ReceiverParts } from "../reference-receiver/parts.ts";
import type { ServeOptions } from "../reference-receiver/serve.ts";
import type { Statuses } from "../session/statuses.ts";

/** A correct receiver with other legal choices. */
export interface ReceiverVariant {
  /** Its legal choices. */
  readonly choices: readonly string[];
  /** Checks of SHOULD clauses that such choices fail, or leave without a subject: they change no verdict. */
  readonly warnings?: readonly string[];
  readonly mutate?: (parts: ReceiverParts) => ReceiverParts;
  readonly options?: ServeOptions;
  /** The strings that it is configured to know; by default those of the specification. */
  readonly statuses?: Statuses;
  /** The kinds in its subscription; the default ones if absent. */
  readonly eventTypes?: readonly EventKind[];
  /** Its declarations of what doesn't occur. */
  readonly without?: readonly DeclarationName[];
  /** The query after the receiver's path in the certified address. */
  readonly query?: string;
}
