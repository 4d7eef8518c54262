import { SettingError } from "../../reference-server/settings.ts";

export interface SimulatorOptions {
  /** Determines all random choices. */
  readonly seed: string;
  /** Simulated time divided by real time: at 60, a minute passes in a second. */
  readonly speed: number;
}

/**
 * SIMULATOR_SPEED is the speed of simulated couriers, at most {@link FASTEST_COURIERS}. Without
 * SIMULATOR_SPEED, couriers aren't simulated. SIMULATOR_SEED ("1") determines the couriers' random choices. If several
 * instances share a database, set SIMULATOR_SPEED for one instance only.
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

/** The highest speed of simulated couriers. */
export const FASTEST_COURIERS = 3600;

/** Parses the speed; undefined for an invalid text. */
export function speedOf(text: string): number | undefined {
  const times = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && times > 0 && times <= FASTEST_COURIERS ? times : undefined;
}
