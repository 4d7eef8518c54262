import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Permits } from "../../core/permits.ts";

/** How a check sends deliveries that don't depend on each other: one after another, or concurrently. */
export interface Pace {
  /** The maximum number of concurrent deliveries. */
  readonly concurrency: number;
  /** Calls `work` for each item, and ends at the first failure. */
  forEachUntilFailure<Item>(items: Iterable<Item>, work: (item: Item) => unknown): Promise<void>;
  /** Calls `send`, which sends this many deliveries concurrently. */
  burst<T>(size: number, send: () => Promise<T>): Promise<T>;
  /** Runs a part of a check that counts as one of the concurrent deliveries. */
  asOneDelivery<T>(work: () => Promise<T>): Promise<T>;
}

/** Sends one delivery after another, so that each failure has only one possible cause. */
export const sequential: Pace = {
  concurrency: 1,
  async forEachUntilFailure(items, work) {
    for (const item of items) await work(item);
  },
  burst: (_, send) => send(),
  asOneDelivery: (work) => work(),
};

/**
 * Sends deliveries concurrently, limited by permits that all checks share. Each running check holds one permit.
 */
export class Concurrent implements Pace {
  readonly #permits: Permits;

  constructor(permits: Permits) {
    this.#permits = permits;
  }

  get concurrency(): number {
    return this.#permits.total;
  }

  async forEachUntilFailure<Item>(items: Iterable<Item>, work: (item: Item) => unknown): Promise<void> {
    const left = Array.from(items, (item) => ({ item }));
    const errors: unknown[] = [];
    const withdrawals: (() => void)[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let working = 1;
    const worker = async () => {
      for (let next = left.shift(); next && errors.length === 0; next = left.shift()) {
        try {
          await work(next.item);
        } catch (error) {
          errors.push(error);
        }
      }
      for (const withdraw of withdrawals) withdraw();
      working -= 1;
      // Returns the permit of this worker, because a burst may need it. The last worker keeps the permit of the
      // check.
      if (working > 0) this.#permits.release(1);
      else end();
    };
    const helper = () => {
      working += 1;
      void worker();
    };
    for (let i = 1, { length } = left; i < length; i += 1) withdrawals.push(this.#permits.request(helper));
    void worker();
    await ended;
    // Reports a finding rather than a request that didn't reach the receiver.
    if (errors.length > 0) throw errors.find((error) => error instanceof CheckFailure) ?? errors[0];
  }

  asOneDelivery<T>(work: () => Promise<T>): Promise<T> {
    return this.#permits.withPermit(work);
  }

  /**
   * Releases the check's own permit before the burst: two bursts that each held a permit would wait for each
   * other forever.
   */
  async burst<T>(size: number, send: () => Promise<T>): Promise<T> {
    const needed = Math.min(size, this.#permits.total);
    this.#permits.release(1);
    await this.#permits.acquire(needed);
    try {
      return await send();
    } finally {
      this.#permits.release(needed - 1);
    }
  }
}
