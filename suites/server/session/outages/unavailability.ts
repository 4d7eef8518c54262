import type { OperationId } from "../../../core/contract/document.ts";
import { isUnavailable, NOT_SERVED } from "../../../core/http/unavailable.ts";

/** Default waits before a request is repeated, if the target gives none. */
const WAITS_MS = [1_000, 2_000, 4_000] as const;
const LONGEST_WAIT_MS = 5_000;

export interface UnavailableAnswer {
  readonly operation: OperationId;
  readonly status: number;
  /** True if a second sending of the request has no further effect. */
  readonly isRetryable: boolean;
  /** The wait that the target requested, in milliseconds. */
  readonly askedMs: number | undefined;
  /** Number of times that the request has been repeated. */
  readonly repeats: number;
}

/**
 * Decides on repeating a request after a 5xx that reports a short absence, as clients do ("on 5xx, retry with
 * exponential backoff"). The run waits once for an operation that stays away.
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
