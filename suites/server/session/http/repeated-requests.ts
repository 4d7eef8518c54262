import type { RepeatedRequests } from "../../../core/cleanup-report.ts";
import type { Exchange } from "../../../core/exchange.ts";

/** Counts requests that were sent again after their connection broke. */
export class RepeatedRequestCounter {
  readonly #counts = new Map<string, number>();

  observe({ operation, isRetried = false }: Pick<Exchange, "operation" | "isRetried">): void {
    if (isRetried) this.#counts.set(operation, (this.#counts.get(operation) ?? 0) + 1);
  }

  /** Repetitions by operation, the most frequent first. */
  get counts(): readonly RepeatedRequests[] {
    return [...this.#counts]
      .map(([operation, count]) => ({ operation, count }))
      .toSorted((one, other) => other.count - one.count || (one.operation < other.operation ? -1 : 1));
  }
}
