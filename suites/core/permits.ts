/** A limited number of permits. Requests for several at once are granted in order. */
export class Permits {
  readonly total: number;
  #free: number;
  readonly #queue: { readonly count: number; readonly enter: () => void }[] = [];

  constructor(total: number) {
    this.total = total;
    this.#free = total;
  }

  /** Acquires this many permits together. */
  async acquire(count: number): Promise<void> {
    if (this.#queue.length === 0 && this.#free >= count) this.#free -= count;
    else await new Promise<void>((enter) => this.#queue.push({ count, enter }));
  }

  /** Acquires a permit if one is free and nobody waits. */
  tryAcquire(): boolean {
    const isFree = this.#queue.length === 0 && this.#free > 0;
    if (isFree) this.#free -= 1;
    return isFree;
  }

  release(count: number): void {
    this.#free += count;
    for (let next = this.#queue[0]; next && next.count <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.count;
      next.enter();
    }
  }

  /** Runs the work with one permit. */
  async holding<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire(1);
    try {
      return await work();
    } finally {
      this.release(1);
    }
  }
}
