import { createHash } from "node:crypto";
import { inject } from "vitest";

/** The items that a test run tries. */
interface TestScope {
  /** True if one random item represents many, as in `npm test`. */
  readonly quick: boolean;
  /** The seed of the random choice. */
  readonly seed: number;
}

declare module "vitest" {
  interface ProvidedContext {
    scope?: TestScope;
  }
}

export const testScope = (): TestScope => inject("scope") ?? { quick: false, seed: 1 };

const rankOf = (id: string, seed: number): number =>
  createHash("sha256").update(`${seed} ${id}`).digest().readUInt32BE(0);

/** Chooses the item with the smallest hash of name and seed, so that a new item rarely changes the choice. */
export const randomItemOf = (ids: readonly string[], seed: number): string | undefined =>
  ids.map((id) => ({ id, rank: rankOf(id, seed) })).toSorted((one, other) => one.rank - other.rank)[0]?.id;

/** One random item in a quick run, otherwise all items. */
export function itemsToTry(ids: readonly string[]): readonly string[] {
  const { quick, seed } = testScope();
  const one = randomItemOf(ids, seed);
  return quick ? ids.filter((id) => id === one) : ids;
}
