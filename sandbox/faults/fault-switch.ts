/** A delay and errors that the sandbox adds to responses, for testing a client under development. */
export interface Faults {
  /** Milliseconds before each response. */
  readonly latencyMs: number;
  /** The share of requests that get a 500, from 0 to 1. */
  readonly errorRate: number;
}

const none: Faults = { latencyMs: 0, errorRate: 0 };

/** Holds the current faults: temporary faults, or else the faults of the sandbox's settings. */
export class FaultSwitch {
  readonly #usual: Faults;
  #present: Faults;
  #until: number | null = null;

  constructor(usual: Faults = none) {
    this.#usual = usual;
    this.#present = usual;
  }

  /** The faults at a time. `until` is the end of temporary faults as real time in ms; null for permanent faults. */
  at(now: number): Faults & { readonly until: number | null } {
    if (this.#until !== null && now >= this.#until) {
      this.#until = null;
      this.#present = this.#usual;
    }
    return { ...this.#present, until: this.#until };
  }

  set(faults: Faults, until: number): void {
    this.#present = faults;
    this.#until = until;
  }

  reset(): void {
    this.#present = this.#usual;
    this.#until = null;
  }
}
