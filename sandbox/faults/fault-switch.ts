/** Delay and errors that the sandbox adds to its answers, so that a client under development meets them. */
export interface Faults {
  /** Milliseconds before each answer. */
  readonly latencyMs: number;
  /** The share of requests that are answered 500, from 0 to 1. */
  readonly errorRate: number;
}

const none: Faults = { latencyMs: 0, errorRate: 0 };

/** The faults that apply now: those that the sandbox was started with, or others for a while. */
export class FaultSwitch {
  readonly #usual: Faults;
  #present: Faults;
  #until: number | null = null;

  constructor(usual: Faults = none) {
    this.#usual = usual;
    this.#present = usual;
  }

  /** `until` is when the usual ones apply again, in real time in ms; null for the whole run. */
  at(now: number): Faults & { readonly until: number | null } {
    if (this.#until !== null && now >= this.#until) {
      this.#until = null;
      this.#present = this.#usual;
    }
    return { ...this.#present, until: this.#until };
  }

  /** Replaces the faults until then. */
  set(faults: Faults, until: number): void {
    this.#present = faults;
    this.#until = until;
  }

  /** The usual ones apply again. */
  reset(): void {
    this.#present = this.#usual;
    this.#until = null;
  }
}
