import { SettingError } from "../../reference-server/settings.ts";

/** How couriers that drive by themselves do so. */
export interface SimulatorOptions {
  /** Decides all that is left to chance. */
  readonly seed: string;
  /** Simulated time by real time: 60 lets a minute pass in a second. */
  readonly speed: number;
}

/**
 * SIMULATOR_SPEED (nobody simulates without it): couriers drive by themselves, so many times as fast as real ones, at
 * most {@link FASTEST_COURIERS}. SIMULATOR_SEED ("1") decides what is left to chance. Of instances that share a database
 * one simulates.
 */
export function readSimulation(environment: Record<string, string | undefined>): SimulatorOptions | null {
  const speed = environment.SIMULATOR_SPEED?.trim() || undefined;
  if (speed === undefined) return null;
  const times = speedOf(speed);
  if (times === undefined) {
    throw new SettingError(
      `SIMULATOR_SPEED should be a number above 0 and up to ${FASTEST_COURIERS}, not ${speed}`,
    );
  }
  return { seed: environment.SIMULATOR_SEED?.trim() || "1", speed: times };
}

/** How many times as fast as real ones simulated couriers may be. */
export const FASTEST_COURIERS = 3600;

/** A speed of simulated couriers; undefined where the text is none. */
export function speedOf(text: string): number | undefined {
  const times = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && times > 0 && times <= FASTEST_COURIERS ? times : undefined;
}
