/** Bounds for the bodies of passed checks, of which a run has thousands. */
export const WIRE_BOUNDS = { read: 3_000, shown: 1_500 };
/** Bounds for a failed check, whose exchanges people read. */
export const FAILED_WIRE_BOUNDS = { read: 32_000, shown: 16_000 };

/**
 * The maximum number of kept exchanges of a check, half of them the first ones. Long checks repeat their
 * requests.
 */
const MAX_EXCHANGES = 600;

/** Keeps the first and the last exchanges of a running check. */
export class WireLog<Exchange> {
  readonly #first: Exchange[] = [];
  #last: Exchange[] = [];

  readonly add = (exchange: Exchange): void => {
    if (this.#first.length < MAX_EXCHANGES / 2) {
      this.#first.push(exchange);
      return;
    }
    this.#last.push(exchange);
    if (this.#last.length >= MAX_EXCHANGES) this.#last = this.#last.slice(-MAX_EXCHANGES / 2);
  };

  /** The kept exchanges in order. */
  get exchanges(): readonly Exchange[] {
    return [...this.#first, ...this.#last.slice(-MAX_EXCHANGES / 2)];
  }
}
