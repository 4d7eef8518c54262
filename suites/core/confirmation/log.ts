import { monotonicNow } from "../clock.ts";
import type { Disturbance } from "./disturbance.ts";

/** The disturbances of a run that affect all checks, with their times. */
export class DisturbanceLog {
  readonly #entries: Disturbance[] = [];

  /** @param from the disturbance's start on the monotonic clock, if the disturbance lasted until now */
  readonly note = (kind: Disturbance["kind"], what: string, from = monotonicNow()): void => {
    this.#entries.push({ kind, what, from, to: monotonicNow() });
  };

  /** Entries that overlap the interval. */
  between(from: number, to: number): readonly Disturbance[] {
    return this.#entries.filter((entry) => entry.from <= to && entry.to >= from);
  }
}
