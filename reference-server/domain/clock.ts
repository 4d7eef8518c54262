/**
 * Time. Only this file reads the system clock; all other code gets Unix time in milliseconds from this file. Each
 * integrator has its own clock: real time plus the advances (control interface, "The clock"), or a fixed time
 * while due work runs.
 */

/** The columns that determine an integrator's time. */
export interface ClockSetting {
  clock_offset_ms: number;
  clock_frozen_at: number | null;
}

export interface Clock {
  /** Real time in ms. */
  now(): number;
  /** The time of the integrator's clock, which may be advanced, in ms at the real time `real`. */
  timeOf(setting: ClockSetting, real: number): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  timeOf: (setting, real) => setting.clock_frozen_at ?? real + setting.clock_offset_ms,
};
