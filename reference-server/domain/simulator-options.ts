/** How couriers that drive by themselves do so. */
export interface SimulatorOptions {
  /** Decides all that is left to chance. */
  readonly seed: string;
  /** Simulated time by real time: 60 lets a minute pass in a second. */
  readonly speed: number;
}
