import type { Spread } from "./spread.ts";

/** Sizes of a run, and what it may use. */
export interface BenchSettings {
  /** Repetitions of whatever is compared. */
  readonly rounds: number;
  /** 1 for sizes that figures can be read from; a fraction where it only has to run. */
  readonly scale: number;
  /** A database that may be filled, as a `postgres://` address. */
  readonly postgresUrl: string | undefined;
  /** A folder of the run's own, which is removed after it. */
  readonly folder: string;
}

export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly spread: Spread;
  /** What is asked of the median. */
  readonly target: FigureTarget | undefined;
  /** The figures behind it, in words. */
  readonly detail: string;
}

export interface FigureTarget {
  readonly is: "at least" | "under" | "at most";
  readonly value: number;
}

/** One measurement, which may give several figures; or why it wasn't made. */
export interface BenchRow {
  readonly id: string;
  /** How it is measured, in a sentence. */
  readonly how: string;
  run(settings: BenchSettings): Promise<readonly Figure[] | string>;
}

export function isMet({ is, value }: FigureTarget, median: number): boolean {
  if (is === "at least") return median >= value;
  return is === "under" ? median < value : median <= value;
}

/** How many of something, at this scale. */
export function scaled({ scale }: Pick<BenchSettings, "scale">, count: number): number {
  return Math.max(1, Math.round(count * scale));
}
