/** What several runs of the same thing came to. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return { min: sorted[0] ?? Number.NaN, median: (low + high) / 2, max: sorted.at(-1) ?? Number.NaN };
}

/**
 * Alternates two measurements, so that other load on the machine affects both, and compares each pair.
 * @returns `second / first` of each pair
 */
export async function interleaved(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<{ first: Spread; second: Spread; ratio: Spread }> {
  const pairs: { a: number; b: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    // Alternates which goes first.
    const firstGoesFirst = round % 2 === 0;
    const early = await (firstGoesFirst ? first : second)();
    const late = await (firstGoesFirst ? second : first)();
    pairs.push(firstGoesFirst ? { a: early, b: late } : { a: late, b: early });
  }
  return {
    first: spreadOf(pairs.map(({ a }) => a)),
    second: spreadOf(pairs.map(({ b }) => b)),
    ratio: spreadOf(pairs.map(({ a, b }) => b / a)),
  };
}
