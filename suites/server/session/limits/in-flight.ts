/** The maximum number of concurrent requests of a run, which is as many as a busy client sends. */
export const MAX_IN_FLIGHT = 32;

/**
 * The priority of a waiting request: "first" for a request that blocks the run, "last" for a request that only
 * exhausts a limit.
 */
export type Urgency = "first" | "in turn" | "last";

/** Limits the number of pending requests. Further requests wait, in order. */
export class InFlightLimit {
  #free: number;
  readonly #waiting: Readonly<Record<Urgency, (() => void)[]>> = { first: [], "in turn": [], last: [] };

  constructor(most = MAX_IN_FLIGHT) {
    this.#free = most;
  }

  /** Runs the work when there is a free slot. */
  async within<T>(work: () => Promise<T>, urgency: Urgency = "in turn"): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter) => this.#waiting[urgency].push(enter));
    try {
      return await work();
    } finally {
      const { first, "in turn": inTurn, last } = this.#waiting;
      const next = first.shift() ?? inTurn.shift() ?? last.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
