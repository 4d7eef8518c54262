/**
 * Time. The only file that asks the system for it; everything else takes milliseconds since 1970 from here.
 *
 * Each integrator has a time of its own: real time, plus what its clock was moved ahead (control interface, "The
 * clock"), or one instant at which it stands while things that fell due are being done.
 */

/** The columns of an integrator that make its time. */
export interface ClockSetting {
  clock_offset_ms: number;
  clock_frozen_at: number | null;
}

export interface Clock {
  /** Real time in ms. */
  now(): number;
  /** An integrator's time in ms, at the real time `real`. */
  of(setting: ClockSetting, real: number): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  of: (setting, real) => setting.clock_frozen_at ?? real + setting.clock_offset_ms,
};
