/** Number of a run's concurrent requests: those of a busy client, not a burst. */
export const MOST_IN_FLIGHT = 32;

/**
 * Order of requests when there is no room: first those that the whole run may wait for, last those that only fill up a
 * limit.
 */
export type Urgency = "first" | "in turn" | "last";

/** Limits the requests under way. Later ones wait in turn. */
export class InFlightLimit {
  #free: number;
  readonly #waiting: Readonly<Record<Urgency, (() => void)[]>> = { first: [], "in turn": [], last: [] };

  constructor(most = MOST_IN_FLIGHT) {
    this.#free = most;
  }

  /** Does the work as soon as there is room for it. */
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
