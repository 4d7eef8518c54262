import { monotonicNow } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { RequestBudget } from "./request-budget.ts";

/**
 * Milliseconds after which a 429 counts as the target's final response: two windows of a minute with a margin,
 * so that the target no longer counts earlier requests.
 */
export const LONGEST_REFUSAL_MS = 125_000;
/** The longest wait in milliseconds for a limit per minute, with a margin. */
const LONGEST_WAIT_MS = 65_000;
/** The minimum waits in milliseconds. They grow with each refusal. */
const SHORTEST_WAITS_MS = [200, 400, 800, 1_600, 3_200] as const;
const SHORTEST_LATER_MS = 5_000;

/** What a target may limit: the budgets of a request, or its operation. */
interface LimitedRequest {
  readonly operation: OperationId;
  readonly budgets: readonly RequestBudget[];
}

/**
 * When the consecutive refusals of each limit and operation began. The run waits only once for a target that
 * always responds with 429, instead of waiting with each request.
 */
export class RateLimitBackoff {
  readonly #since = new Map<OperationId | RequestBudget, number>();

  private readonly now: () => number;

  /** @param now milliseconds on a monotonic clock */
  constructor(now = monotonicNow) {
    this.now = now;
  }

  /** Records a response other than 429. */
  answered({ operation, budgets }: LimitedRequest): void {
    for (const key of [operation, ...budgets]) this.#since.delete(key);
  }

  /**
   * The wait in milliseconds after a 429. Undefined if the request must not be sent again.
   * @param askedMs the target's retry-after in milliseconds
   * @param waits the number of earlier waits of this request
   */
  refused({ operation, budgets }: LimitedRequest, askedMs: number, waits: number): number | undefined {
    const now = this.now();
    const keys = [operation, ...budgets];
    for (const key of keys) if (!this.#since.has(key)) this.#since.set(key, now);
    const left = Math.min(...keys.map((key) => (this.#since.get(key) ?? now) + LONGEST_REFUSAL_MS - now));
    if (left <= 0) return undefined;
    const shortest = SHORTEST_WAITS_MS[waits] ?? SHORTEST_LATER_MS;
    return Math.min(Math.max(askedMs, shortest), LONGEST_WAIT_MS, left);
  }
}
