import { wallClock } from "../../../core/clock.ts";

/** A move of an integrator's clock by the control interface, in milliseconds. */
export interface ClockMove {
  readonly byMs: number;
  /** How long it was until the answer came. */
  readonly tookMs: number;
  /** What the clock shows since, by that answer: since 1970. */
  readonly shows: number;
}

/** A target that shows whole seconds may be as much later. */
const SECOND_MS = 1000;
/** What a clock shows beyond this isn't of its moves: somebody has put it right, or another machine has answered. */
const TOLERANCE_MS = 2 * SECOND_MS;

/** An integrator's clock, as it runs at the target: not behind it, but perhaps by the way of an answer ahead. */
export class IntegratorClock {
  #offsetMs = 0;
  readonly #offsets: { readonly at: number; readonly offsetMs: number }[] = [];
  /** How far the target's own clock is ahead of this machine's, unknown before the first move. */
  #skewMs: number | undefined;

  /** How far it is ahead of this machine's, milliseconds: by what it was moved. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** In milliseconds since 1970, but for what the target's own clock differs. */
  now(): number {
    return wallClock() + this.#offsetMs;
  }

  /** How far it was ahead at a time of this machine's, milliseconds. */
  offsetAt(at: number): number {
    return this.#offsets.findLast((moved) => moved.at <= at)?.offsetMs ?? 0;
  }

  /**
   * Told by whoever moved it. While it is moved the clock stands still (control interface, "The clock"), but it runs on
   * while the move waits for its turn: which of both it was is seen by what the clock shows, from the second move on.
   */
  wasMoved({ byMs, tookMs, shows }: ClockMove): void {
    const standing = this.#offsetMs + byMs - tookMs;
    const aheadMs = shows - (wallClock() + standing);
    const ranMs = this.#ran(aheadMs, tookMs, shows % SECOND_MS === 0 ? SECOND_MS : 0);
    this.#offsetMs = Math.round(standing + ranMs);
    this.#offsets.push({ at: wallClock(), offsetMs: this.#offsetMs });
  }

  /** How long it ran on during a move by what it shows, milliseconds: not at all where that isn't known. */
  #ran(aheadMs: number, tookMs: number, unshownMs: number): number {
    const ranMs = aheadMs - (this.#skewMs ?? Number.NaN);
    if (ranMs > -TOLERANCE_MS && ranMs < tookMs + TOLERANCE_MS)
      return Math.min(Math.max(ranMs + unshownMs, 0), tookMs);
    this.#skewMs = aheadMs;
    return 0;
  }
}
