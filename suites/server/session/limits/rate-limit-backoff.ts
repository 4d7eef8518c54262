import { monotonicNow } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { RequestBudget } from "./request-budget.ts";

/**
 * The time after which a 429 counts as the target's final response: two one-minute windows with a margin, so
 * that earlier requests no longer count.
 */
export const LONGEST_REFUSAL_MS = 125_000;
/** The longest wait for a one-minute limit, with a margin. */
const LONGEST_WAIT_MS = 65_000;
/** The minimum waits, which grow with each refusal. */
const SHORTEST_WAITS_MS = [200, 400, 800, 1_600, 3_200] as const;
const SHORTEST_LATER_MS = 5_000;

/** The budgets and the operation of a request: a target may limit either. */
interface LimitedRequest {
  readonly operation: OperationId;
  readonly budgets: readonly RequestBudget[];
}

/**
 * The start of consecutive refusals for each limit and operation. The run waits once for a target that always
 * answers 429, not with each request.
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
   * The wait in milliseconds after a 429. Undefined if the request isn't sent again.
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
