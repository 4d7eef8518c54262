import { monotonicNow } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { RequestBudget } from "./request-budget.ts";

/**
 * How long a target may go on answering 429 before that is its answer: a limit counts a minute, so that two of them,
 * with a margin, outlast whatever was sent before the run, and whatever else the run sends meanwhile.
 */
export const LONGEST_REFUSAL_MS = 125_000;
/** The longest wait that a limit of a minute can ask for, with a margin. */
const LONGEST_WAIT_MS = 65_000;
/** A target that asks for less, or for nothing, is asked again ever more seldom. */
const SHORTEST_WAITS_MS = [200, 400, 800, 1_600, 3_200] as const;
const SHORTEST_LATER_MS = 5_000;

/** Who counts, and for which operation: a target may refuse everything of one identity, or one operation of all. */
export interface LimitedRequest {
  readonly operation: OperationId;
  readonly budgets: readonly RequestBudget[];
}

/**
 * Since when each limit, and each operation, has been refused without a break. A target that answers 429 for ever is
 * waited out once, and not by each request anew.
 */
export class RateLimitBackoff {
  readonly #since = new Map<OperationId | RequestBudget, number>();

  private readonly now: () => number;

  /** @param now milliseconds on a stopwatch */
  constructor(now = monotonicNow) {
    this.now = now;
  }

  /** An answer that isn't a 429 came. */
  answered({ operation, budgets }: LimitedRequest): void {
    for (const key of [operation, ...budgets]) this.#since.delete(key);
  }

  /**
   * A 429 came. How long to wait before the request is sent again, in milliseconds; undefined where it isn't any more.
   * @param askedMs what the target asked for, in milliseconds
   * @param waits how often this request has been waited for already
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
