import { wallClock } from "../../../core/clock.ts";

/** A move of an integrator's clock by the control interface, in milliseconds. */
export interface ClockMove {
  readonly byMs: number;
  /** How long it was until the answer came. */
  readonly tookMs: number;
  /** What the clock shows since, by that answer: since 1970. */
  readonly shows: number;
}

/** An integrator's clock, as it runs at the target. */
export class IntegratorClock {
  /** How far it is ahead of this machine's, milliseconds: by what it was moved. */
  offsetMs = 0;
  readonly #offsets: { readonly at: number; readonly offsetMs: number }[] = [];
  /** How far the target's own clock is ahead of this machine's, unknown before the first move. */
  #skewMs: number | undefined;

  /** In milliseconds since 1970, but for what the target's own clock differs. */
  now(): number {
    return wallClock() + this.offsetMs;
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
    const standing = this.offsetMs + byMs - tookMs;
    const aheadMs = shows - (wallClock() + standing);
    this.#skewMs ??= aheadMs;
    const ranMs = Math.min(Math.max(aheadMs - this.#skewMs, 0), tookMs);
    this.offsetMs = Math.round(standing + ranMs);
    this.#offsets.push({ at: wallClock(), offsetMs: this.offsetMs });
  }
}
