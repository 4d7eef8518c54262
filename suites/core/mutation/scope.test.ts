import { expect, test } from "vitest";
import { drawnOf } from "./scope.ts";

const IDS = Array.from({ length: 20 }, (_, n) => `mutant-${n}`);

test("one is drawn by the seed, whatever order they are in, and over some seeds each is", () => {
  expect(drawnOf(IDS, 1)).toBe(drawnOf(IDS.toReversed(), 1));
  const drawn = Array.from({ length: 400 }, (_, seed) => drawnOf(IDS, seed));
  expect(new Set(drawn)).toEqual(new Set(IDS));
  expect(drawnOf([], 1)).toBeUndefined();
});
