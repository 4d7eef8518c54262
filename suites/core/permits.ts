interface Waiting {
  readonly count: number;
  readonly enter: () => void;
}

/** A request for more than this part of the permits counts as large. */
const LARGE_SHARE = 1 / 6;

/**
 * A limited number of permits. Large requests come last, because a large request leaves permits unused until enough are free.
 * Otherwise requests are granted in order.
 */
export class Permits {
  readonly total: number;
  #free: number;
  #small: readonly Waiting[] = [];
  #large: readonly Waiting[] = [];

  constructor(total: number) {
    this.total = total;
    this.#free = total;
  }

  /** Acquires this many permits together. */
  async acquire(count: number): Promise<void> {
    await new Promise<void>((granted) => this.#request(count, granted));
  }

  /**
   * Requests one permit.
   * @param granted called with the permit, which it has to release
   * @returns the function that withdraws a request that isn't granted yet
   */
  request(granted: () => void): () => void {
    const waiting = this.#request(1, granted);
    return () => {
      this.#small = this.#small.filter((one) => one !== waiting);
    };
  }

  release(count: number): void {
    this.#free += count;
    this.#grant();
  }

  async withPermit<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire(1);
    try {
      return await work();
    } finally {
      this.release(1);
    }
  }

  #request(count: number, enter: () => void): Waiting {
    const waiting = { count, enter };
    if (count > Math.max(1, this.total * LARGE_SHARE)) this.#large = [...this.#large, waiting];
    else this.#small = [...this.#small, waiting];
    this.#grant();
    return waiting;
  }

  #grant(): void {
    for (let next = this.#next; next && next.count <= this.#free; next = this.#next) {
      if (this.#small.length > 0) this.#small = this.#small.slice(1);
      else this.#large = this.#large.slice(1);
      this.#free -= next.count;
      next.enter();
    }
  }

  get #next(): Waiting | undefined {
    return this.#small[0] ?? this.#large[0];
  }
}
