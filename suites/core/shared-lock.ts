/** The group of holders that share the lock with each other. */
type Group = string | symbol;

interface Waiting {
  readonly group: Group;
  readonly enter: () => void;
}

const SHARED: Group = Symbol("shared");

/**
 * A lock that is granted in the order of requests. It is held by shared holders, by holders of one named
 * group, or by a single exclusive holder.
 */
export class SharedLock {
  #holders = 0;
  #group: Group = SHARED;
  readonly #queue: Waiting[] = [];

  /** True if no shared holder has the lock. */
  get isExclusive(): boolean {
    return this.#holders > 0 && this.#group !== SHARED;
  }

  /**
   * Acquires the lock.
   * @param exclusive true for an exclusive lock
   * @returns the function that releases it
   */
  acquire(exclusive: boolean): Promise<() => void> {
    return this.#acquire(exclusive ? Symbol("exclusive") : SHARED);
  }

  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#holding(SHARED, work);
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#holding(Symbol("exclusive"), work);
  }

  /** Runs the work while only work of the same group runs. */
  grouped<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#holding(name, work);
  }

  async #acquire(group: Group): Promise<() => void> {
    if (this.#queue.length === 0 && this.#isFree(group)) this.#grant(group);
    else await new Promise<void>((enter) => this.#queue.push({ group, enter }));
    return () => this.#release();
  }

  async #holding<T>(group: Group, work: () => Promise<T>): Promise<T> {
    const release = await this.#acquire(group);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #isFree(group: Group): boolean {
    return this.#holders === 0 || this.#group === group;
  }

  #grant(group: Group): void {
    this.#holders += 1;
    this.#group = group;
  }

  #release(): void {
    this.#holders -= 1;
    for (let next = this.#queue[0]; next && this.#isFree(next.group); next = this.#queue[0]) {
      this.#queue.shift();
      this.#grant(next.group);
      next.enter();
    }
  }
}
