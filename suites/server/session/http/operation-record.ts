import { type OperationId, operationById, serviceApi } from "../../../core/contract/document.ts";
import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";
import { isSuccess } from "../../../core/responses.ts";

/**
 * After this many consecutive requests without a response, an operation that worked before is no longer called.
 */
const MAX_UNANSWERED = 3;
/**
 * The number for an operation that has never responded. It is more than one, because the first request may only
 * have started the server.
 */
const MAX_UNANSWERED_AT_START = 2;

/** Members that later requests need. */
const HANDLES = ["id", "access_token"];

/** For each operation, whether it has served a valid request, and whether it has stopped responding. */
export class OperationRecord {
  readonly #asked = new Set<OperationId>();
  readonly #served = new Set<OperationId>();
  readonly #answered = new Set<OperationId>();
  /** Consecutive requests without a response by operation, with the end of the last one. */
  readonly #unanswered = new Map<OperationId, { readonly times: number; readonly until: number }>();

  observe(exchange: Exchange): void {
    const { operation, violates, response, isConnectionLost, startedAt, durationMs } = exchange;
    const { times = 0, until = 0 } = this.#unanswered.get(operation) ?? {};
    if (violates === undefined) this.#asked.add(operation);
    if (response) {
      this.#answered.add(operation);
      this.#unanswered.delete(operation);
      if (violates === undefined && isUsable(operation, response)) this.#served.add(operation);
    } else if (isConnectionLost !== true && !this.isGivenUp(operation) && startedAt >= until) {
      // Concurrent requests count as one, because a short interruption affects all of them.
      this.#unanswered.set(operation, { times: times + 1, until: startedAt + durationMs });
    }
  }

  /** True if the operation has served a valid request with a usable response. */
  isServed(operation: OperationId): boolean {
    return this.#served.has(operation);
  }

  /** True if no valid request has called the operation. */
  isUntried(operation: OperationId): boolean {
    return !this.#asked.has(operation);
  }

  /**
   * True if other checks can't use the operation: it has served no valid request, or it is no longer called.
   * Invalid requests alone don't prove that an operation is missing.
   */
  isMissing(operation: OperationId): boolean {
    return (!this.isUntried(operation) && !this.isServed(operation)) || this.isGivenUp(operation);
  }

  /** True if the operation is no longer called, after consecutive requests without a response. */
  isGivenUp(operation: OperationId): boolean {
    const most = this.#answered.has(operation) ? MAX_UNANSWERED : MAX_UNANSWERED_AT_START;
    return (this.#unanswered.get(operation)?.times ?? 0) >= most;
  }
}

/**
 * True if later requests can use the response. Fields that later requests don't need are ignored, so that a
 * wrong field fails only one check.
 */
function isUsable(operation: OperationId, response: ExchangeResponse): boolean {
  if (!isSuccess(response)) return false;
  const promised = bodyOf(operation, response);
  if (!promised) return true;
  const { json } = response;
  if (typeof json !== "object" || json === null) return false;
  return HANDLES.every((handle) => !promised.required.includes(handle) || Object.hasOwn(json, handle));
}

/**
 * The document's schema for the JSON body of a success, by its status if the document has it. Undefined for a success
 * without a JSON body, such as 204 for a change.
 */
function bodyOf(
  operation: OperationId,
  { status: sent }: Pick<ExchangeResponse, "status">,
): { readonly required: readonly string[] } | undefined {
  const { pointer, successes } = operationById(operation);
  for (const status of successes.includes(sent) ? [sent] : successes) {
    const schema = serviceApi.lookUp(`${pointer}/responses/${status}/content/application~1json/schema`);
    if (schema) return { required: requiredOf(schema) };
  }
  return undefined;
}

function requiredOf(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const own = Array.isArray(schema.required) ? schema.required.filter((one) => typeof one === "string") : [];
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [...own, ...parts.flatMap((part) => requiredOf(serviceApi.resolve(part)))];
}
