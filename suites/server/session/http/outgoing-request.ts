import type { OperationId } from "../../../core/contract/document.ts";
import type { Urgency } from "../limits/in-flight.ts";
import type { RequestBudget } from "../limits/request-budget.ts";
import type { SourceAddress } from "../limits/source-addresses.ts";

/** A request before it is sent. */
export interface OutgoingRequest {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly address: SourceAddress;
  readonly violates: string | undefined;
  /** True if the path isn't in the OpenAPI document. */
  readonly unknownRoute?: boolean;
  /** The limits of the target that the request counts towards. */
  readonly budgets: readonly RequestBudget[];
  /** False to ignore the suite's own budgets. */
  readonly keepsBudget: boolean;
  /** False in checks of limits, which expect a 429. */
  readonly honourLimits: boolean;
  readonly urgency?: Urgency;
  /** The milliseconds by which the sending integrator's clock is ahead of this machine's. Defaults to 0. */
  readonly clockOffsetMs?: () => number;
  /** Who sends the request, if a check has several integrators. */
  readonly sender?: string;
  /** Called after the response. Returns true if the token was valid throughout the request. */
  readonly isTokenValid?: (() => boolean) | undefined;
}

/**
 * Operations that may be sent twice although they have another method than GET and no key. A PATCH to the same
 * value has no effect.
 */
const REPEATABLE: readonly OperationId[] = ["obtainToken", "createQuote", "updateDelivery"];

/** True if the request may be sent twice: it changes nothing, or has an Idempotency-Key. */
export function isRetryable({ operation, method, headers }: OutgoingRequest): boolean {
  if (method === "GET" || REPEATABLE.includes(operation)) return true;
  return operation === "createDelivery" && headers["idempotency-key"] !== undefined;
}
