/** As many requests of a run are under way at once: a target is asked by a busy client, not flooded. */
export const MOST_IN_FLIGHT = 32;

/** Lets so many requests be under way at once; who comes later waits in turn. */
export class InFlightLimit {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(most = MOST_IN_FLIGHT) {
    this.#free = most;
  }

  /** Does the work as soon as there is room for it. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter) => this.#queue.push(enter));
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
