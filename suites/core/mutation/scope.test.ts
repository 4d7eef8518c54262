import { expect, test } from "vitest";
import { randomItemOf } from "./scope.ts";

const IDS = Array.from({ length: 20 }, (_, n) => `mutant-${n}`);

test("the seed alone chooses the mutant, and several seeds together choose every mutant", () => {
  expect(randomItemOf(IDS, 1)).toBe(randomItemOf(IDS.toReversed(), 1));
  const drawn = Array.from({ length: 400 }, (_, seed) => randomItemOf(IDS, seed));
  expect(new Set(drawn)).toEqual(new Set(IDS));
  expect(randomItemOf([], 1)).toBeUndefined();
});
