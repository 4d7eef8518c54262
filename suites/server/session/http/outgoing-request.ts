import type { OperationId } from "../../../core/contract/document.ts";
import type { Urgency } from "../limits/in-flight.ts";
import type { RequestBudget } from "../limits/request-budget.ts";
import type { SourceAddress } from "../limits/source-addresses.ts";

/** A request as it is about to be sent. */
export interface OutgoingRequest {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly address: SourceAddress;
  readonly violates: string | undefined;
  /** True if the document has no such path. */
  readonly unknownRoute?: boolean;
  /** The limits of the target that it counts towards. */
  readonly budgets: readonly RequestBudget[];
  /** False: it doesn't wait for our own budgets. */
  readonly keepsBudget: boolean;
  /** False in checks of the limits themselves, which want to see the 429. */
  readonly honourLimits: boolean;
  readonly urgency?: Urgency;
  /** Milliseconds by which the sending integrator's clock is ahead of this machine's; 0 by default. */
  readonly clockOffsetMs?: () => number;
}

/** Operations that leave no more when they are sent twice: a change to the same values is the same change. */
const REPEATABLE: readonly OperationId[] = ["obtainToken", "createQuote", "updateDelivery"];

/** True if a second sending of the request has no further effect: it changes nothing, or it carries a key. */
export function isRetryable({ operation, method, headers }: OutgoingRequest): boolean {
  if (method === "GET" || REPEATABLE.includes(operation)) return true;
  return operation === "createDelivery" && headers["idempotency-key"] !== undefined;
}
