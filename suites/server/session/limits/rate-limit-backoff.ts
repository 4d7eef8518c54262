import { monotonicNow } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { RequestBudget } from "./request-budget.ts";

/**
 * Time after which 429 counts as the target's answer. A limit counts a minute, so two windows with a margin outlast all
 * earlier requests, and those that the run sends meanwhile.
 */
export const LONGEST_REFUSAL_MS = 125_000;
/** The longest wait that a limit of a minute can ask for, with a margin. */
const LONGEST_WAIT_MS = 65_000;
/** Minimum waits for a target that asks for less or for nothing: they grow with each refusal. */
const SHORTEST_WAITS_MS = [200, 400, 800, 1_600, 3_200] as const;
const SHORTEST_LATER_MS = 5_000;

/**
 * The counting budgets and the operation: a target may refuse all requests of one integrator, or one operation for all.
 */
export interface LimitedRequest {
  readonly operation: OperationId;
  readonly budgets: readonly RequestBudget[];
}

/**
 * Start of the unbroken refusals of each limit and each operation. The run waits once for a target that always answers
 * 429, rather than with each request.
 */
export class RateLimitBackoff {
  readonly #since = new Map<OperationId | RequestBudget, number>();

  private readonly now: () => number;

  /** @param now milliseconds on a stopwatch */
  constructor(now = monotonicNow) {
    this.now = now;
  }

  /** Records an answer other than 429. */
  answered({ operation, budgets }: LimitedRequest): void {
    for (const key of [operation, ...budgets]) this.#since.delete(key);
  }

  /**
   * Handles a 429. Returns the wait before the request is sent again, in milliseconds. Undefined if it isn't sent
   * again.
   * @param askedMs the wait that the target requested, in milliseconds
   * @param waits number of times that this request has waited already
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
