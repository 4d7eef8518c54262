import type { OperationId } from "../../../core/contract/document.ts";
import { isUnavailable, NOT_SERVED } from "../../../core/http/unavailable.ts";

/** Waits before a request is sent once more, where the target asks for none. */
const WAITS_MS = [1_000, 2_000, 4_000] as const;
const LONGEST_WAIT_MS = 5_000;

export interface UnavailableAnswer {
  readonly operation: OperationId;
  readonly status: number;
  /** Whether the target does no more when it gets the request twice. */
  readonly isRetryable: boolean;
  /** What the target asked for, in milliseconds. */
  readonly askedMs: number | undefined;
  /** How often the request has been sent once more already. */
  readonly repeats: number;
}

/**
 * Whether a target that says that it is away for a moment is asked once more, as its clients do ("on 5xx, retry with
 * exponential backoff"). An operation that stays away is waited for once in a run.
 */
export class Unavailability {
  readonly #lasting = new Set<OperationId>();

  /** How long to wait before the request is sent once more, in milliseconds; undefined where it isn't. */
  waitMs({ operation, status, isRetryable, askedMs, repeats }: UnavailableAnswer): number | undefined {
    if (!isUnavailable(status) || !(isRetryable || status === NOT_SERVED)) return undefined;
    if (this.#lasting.has(operation)) return undefined;
    const wait = WAITS_MS[repeats];
    if (wait === undefined) this.#lasting.add(operation);
    return wait === undefined ? undefined : Math.min(askedMs ?? wait, LONGEST_WAIT_MS);
  }
}
