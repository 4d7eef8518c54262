import { createHash } from "node:crypto";
import { inject } from "vitest";

/** How much of what can be drawn from a run tries. */
export interface TestScope {
  /** Whether one of many stands for the others, as in `npm test`. */
  readonly quick: boolean;
  /** What is drawn. */
  readonly seed: number;
}

declare module "vitest" {
  interface ProvidedContext {
    scope?: TestScope;
  }
}

/** The scope of the tests that are run; whoever starts them without one wants all. */
export const testScope = (): TestScope => inject("scope") ?? { quick: false, seed: 1 };

const rankOf = (id: string, seed: number): number =>
  createHash("sha256").update(`${seed} ${id}`).digest().readUInt32BE(0);

/** One of these by the hash of its name and the seed, so that a new one displaces at most one other. */
export const drawnOf = (ids: readonly string[], seed: number): string | undefined =>
  ids.toSorted((one, other) => rankOf(one, seed) - rankOf(other, seed))[0];

/** Of these the one that a quick run draws; all, where all are tried. */
export function triedOf(ids: readonly string[]): readonly string[] {
  const { quick, seed } = testScope();
  return quick ? ids.filter((id) => id === drawnOf(ids, seed)) : ids;
}
