import type { Exchange } from "../../core/exchange.ts";

/** A request to the control interface, such as a courier action. */
export interface ControlStep {
  readonly method: "GET" | "PATCH" | "POST";
  /** The path below the control interface's base URL, with a leading slash. */
  readonly path: string;
  readonly body?: object;
  /** The uploaded bytes, instead of a body. */
  readonly upload?: { readonly bytes: Uint8Array; readonly mime: string };
}

/** A step with its Unix time in milliseconds on this machine's clock. */
export type TraceStep =
  | { readonly exchange: Exchange; readonly at: number }
  | { readonly control: ControlStep; readonly at: number; readonly isRefused?: boolean };

/** Longer sequences aren't shown, because nobody repeats them by hand. */
const MAX_STEPS = 300;

/**
 * The steps of a check in order. For a property, only its last failing run is kept, which is the simplest.
 */
export class CheckTrace {
  readonly #outsideRuns: TraceStep[] = [];
  #current: TraceStep[] | undefined;
  #failed: readonly TraceStep[] | undefined;
  readonly #refused = new Set<ControlStep>();
  #isTooLong = false;

  /** Starts a run of a property. */
  begin(): void {
    this.#current = [];
  }

  add(step: TraceStep): void {
    const steps = this.#current ?? this.#outsideRuns;
    if (steps.length < MAX_STEPS) steps.push(step);
    else if (steps === this.#outsideRuns) this.#isTooLong = true;
  }

  /** Records that the control interface refused the step. */
  refuse(control: ControlStep): void {
    this.#refused.add(control);
  }

  fail(): void {
    this.#failed = this.#current;
  }

  /** The steps that caused the failure, sorted by time. Empty if there are too many to repeat by hand. */
  get steps(): readonly TraceStep[] {
    if (this.#isTooLong) return [];
    return [...this.#outsideRuns, ...(this.#failed ?? [])]
      .map((step) => ("control" in step ? { ...step, isRefused: this.#refused.has(step.control) } : step))
      .toSorted((a, b) => a.at - b.at);
  }
}
