import { wallClock } from "../../../core/clock.ts";

/** An advance of a clock by the control interface. */
interface ClockMove {
  readonly byMs: number;
  /** The milliseconds until the response. */
  readonly tookMs: number;
  /** The clock's time in the response, as Unix time in milliseconds. */
  readonly shows: number;
}

/**
 * The clock of a target that returns whole seconds may be later than the returned time by up to this many
 * milliseconds.
 */
const SECOND_MS = 1000;
/** A larger deviation in milliseconds has another cause, such as a corrected clock or another instance. */
const TOLERANCE_MS = 2 * SECOND_MS;

/**
 * An integrator's clock at the target. The suite's estimate may be ahead by a response's latency, but is never
 * behind.
 */
export class IntegratorClock {
  #offsetMs = 0;
  readonly #offsets: { readonly at: number; readonly offsetMs: number }[] = [];
  /**
   * The milliseconds by which the target's own clock is ahead of this machine's. Undefined before the first
   * advance.
   */
  #skewMs: number | undefined;
  /** True while an advance is pending, when the clock's time is unknown. */
  isMoving = false;

  /** The sum of the clock's advances in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** The clock's Unix time in milliseconds, without the difference of the target's own clock. */
  now(): number {
    return wallClock() + this.#offsetMs;
  }

  /** The milliseconds by which the clock was ahead at a time of this machine. */
  offsetAt(at: number): number {
    return this.#offsets.findLast((moved) => moved.at <= at)?.offsetMs ?? 0;
  }

  /**
   * Records an advance. The clock is frozen during an advance (control interface, "The clock"), but runs while
   * the advance waits for its turn. From the second advance on, the returned time shows how long the clock ran.
   */
  wasMoved({ byMs, tookMs, shows }: ClockMove): void {
    const standing = this.#offsetMs + byMs - tookMs;
    const aheadMs = shows - (wallClock() + standing);
    const ranMs = this.#ran(aheadMs, tookMs, shows % SECOND_MS === 0 ? SECOND_MS : 0);
    this.#offsetMs = Math.round(standing + ranMs);
    this.#offsets.push({ at: wallClock(), offsetMs: this.#offsetMs });
  }

  /**
   * The milliseconds that the clock ran during an advance, calculated from the returned time. Zero if unknown.
   */
  #ran(aheadMs: number, tookMs: number, unshownMs: number): number {
    const ranMs = aheadMs - (this.#skewMs ?? Number.NaN);
    if (ranMs > -TOLERANCE_MS && ranMs < tookMs + TOLERANCE_MS)
      return Math.min(Math.max(ranMs + unshownMs, 0), tookMs);
    this.#skewMs = aheadMs;
    return 0;
  }
}
