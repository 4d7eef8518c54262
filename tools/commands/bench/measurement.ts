export interface BenchSettings {
  readonly iterations: number;
  /** The fraction of the full load. Below 1, the figures are meaningless: tests use it to execute the measurements quickly. */
  readonly scale: number;
  readonly folder: string;
}

export interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** The relation of the median to a bound. */
  readonly target: readonly ["at least" | "at most", number];
  readonly detail: string;
}

/** Measures one or more figures. */
export interface Measurement {
  readonly id: string;
  run(settings: BenchSettings): Promise<readonly Figure[]>;
}

export const scaled = ({ scale }: BenchSettings, count: number): number =>
  Math.max(1, Math.round(count * scale));

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

export async function repeated<T>(
  times: number,
  measure: (iteration: number) => Promise<T>,
): Promise<readonly T[]> {
  const measured: T[] = [];
  for (let iteration = 0; iteration < times; iteration += 1) measured.push(await measure(iteration));
  return measured;
}

/**
 * Runs two measurements alternately, so that other load affects both. The first call of each is a warm-up.
 * @returns the ratio of each pair, and the medians of each measurement
 */
export async function compared(
  iterations: number,
  baseline: () => Promise<number>,
  own: () => Promise<number>,
): Promise<{ readonly ratios: readonly number[]; readonly baseline: number; readonly own: number }> {
  await baseline();
  await own();
  const pairs = await repeated(iterations, async (iteration) => {
    if (iteration % 2 === 0) return { baseline: await baseline(), own: await own() };
    const later = await own();
    return { baseline: await baseline(), own: later };
  });
  return {
    ratios: pairs.map((pair) => pair.own / pair.baseline),
    baseline: median(pairs.map((pair) => pair.baseline)),
    own: median(pairs.map((pair) => pair.own)),
  };
}
