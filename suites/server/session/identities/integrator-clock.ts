import { wallClock } from "../../../core/clock.ts";

/** A move of an integrator's clock by the control interface, in milliseconds. */
export interface ClockMove {
  readonly byMs: number;
  /** Time until the answer came. */
  readonly tookMs: number;
  /** The clock's time after the move by that answer, in milliseconds since 1970. */
  readonly shows: number;
}

/** A target that shows whole seconds may be as much later. */
const SECOND_MS = 1000;
/** A larger deviation has another cause than a move: somebody corrected the clock, or another machine answered. */
const TOLERANCE_MS = 2 * SECOND_MS;

/** An integrator's clock, as it runs at the target: not behind it, but perhaps by the way of an answer ahead. */
export class IntegratorClock {
  #offsetMs = 0;
  readonly #offsets: { readonly at: number; readonly offsetMs: number }[] = [];
  /** Milliseconds by which the target's own clock is ahead of this machine's. Undefined before the first move. */
  #skewMs: number | undefined;

  /** Milliseconds by which it is ahead of this machine's clock, from its moves. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Milliseconds since 1970, apart from the target's own clock difference. */
  now(): number {
    return wallClock() + this.#offsetMs;
  }

  /** Milliseconds by which it was ahead at a time of this machine's. */
  offsetAt(at: number): number {
    return this.#offsets.findLast((moved) => moved.at <= at)?.offsetMs ?? 0;
  }

  /**
   * Records a move. The clock stands still during a move (control interface, "The clock"), but runs on while the move
   * waits for its turn. From the second move on, the clock's time shows which of both happened.
   */
  wasMoved({ byMs, tookMs, shows }: ClockMove): void {
    const standing = this.#offsetMs + byMs - tookMs;
    const aheadMs = shows - (wallClock() + standing);
    const ranMs = this.#ran(aheadMs, tookMs, shows % SECOND_MS === 0 ? SECOND_MS : 0);
    this.#offsetMs = Math.round(standing + ranMs);
    this.#offsets.push({ at: wallClock(), offsetMs: this.#offsetMs });
  }

  /** Milliseconds that it ran on during a move, from its time. Zero if that is unknown. */
  #ran(aheadMs: number, tookMs: number, unshownMs: number): number {
    const ranMs = aheadMs - (this.#skewMs ?? Number.NaN);
    if (ranMs > -TOLERANCE_MS && ranMs < tookMs + TOLERANCE_MS)
      return Math.min(Math.max(ranMs + unshownMs, 0), tookMs);
    this.#skewMs = aheadMs;
    return 0;
  }
}
