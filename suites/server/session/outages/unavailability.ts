import type { OperationId } from "../../../core/contract/document.ts";
import { isUnavailable, NOT_SERVED } from "../../../core/http/unavailable.ts";

/** The default waits before a request is repeated. */
const WAITS_MS = [1_000, 2_000, 4_000] as const;
const LONGEST_WAIT_MS = 5_000;

export interface UnavailableAnswer {
  readonly operation: OperationId;
  readonly status: number;
  /** True if sending the request twice has no further effect. */
  readonly isRetryable: boolean;
  /** The target's retry-after in milliseconds. */
  readonly askedMs: number | undefined;
  /** The number of earlier repetitions. */
  readonly repeats: number;
}

/**
 * Repeats requests after a 5xx for a short unavailability, as clients do ("on 5xx, retry with exponential
 * backoff"). The run waits once for an operation that remains unavailable.
 */
export class Unavailability {
  readonly #lasting = new Set<OperationId>();

  /** The wait before the request is repeated, in milliseconds. Undefined if it isn't repeated. */
  waitMs({ operation, status, isRetryable, askedMs, repeats }: UnavailableAnswer): number | undefined {
    if (!isUnavailable(status) || !(isRetryable || status === NOT_SERVED)) return undefined;
    if (this.#lasting.has(operation)) return undefined;
    const wait = WAITS_MS[repeats];
    if (wait === undefined) this.#lasting.add(operation);
    return wait === undefined ? undefined : Math.min(askedMs ?? wait, LONGEST_WAIT_MS);
  }
}
