interface Waiting {
  readonly exclusive: boolean;
  readonly enter: () => void;
}

/** A lock with many shared holders or one exclusive holder, granted in the order of requests. */
export class SharedLock {
  #holders = 0;
  #isExclusive = false;
  readonly #queue: Waiting[] = [];

  /**
   * Acquires the lock.
   * @param exclusive true for an exclusive lock
   * @returns the function that releases it
   */
  async acquire(exclusive: boolean): Promise<() => void> {
    if (this.#queue.length === 0 && this.#isFree(exclusive)) this.#grant(exclusive);
    else await new Promise<void>((enter) => this.#queue.push({ exclusive, enter }));
    return () => this.#release();
  }

  /** Runs the work with a shared lock. */
  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#holding(false, work);
  }

  /** Runs the work with an exclusive lock. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#holding(true, work);
  }

  async #holding<T>(exclusive: boolean, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(exclusive);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #isFree(exclusive: boolean): boolean {
    return this.#holders === 0 || (!exclusive && !this.#isExclusive);
  }

  #grant(exclusive: boolean): void {
    this.#holders += 1;
    this.#isExclusive = exclusive;
  }

  #release(): void {
    this.#holders -= 1;
    this.#isExclusive = false;
    for (let next = this.#queue[0]; next && this.#isFree(next.exclusive); next = this.#queue[0]) {
      this.#queue.shift();
      this.#grant(next.exclusive);
      next.enter();
    }
  }
}
