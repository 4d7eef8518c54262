import { expect, test } from "vitest";
import { randomItemOf } from "./scope.ts";

const IDS = Array.from({ length: 20 }, (_, n) => `mutant-${n}`);

test("the seed alone decides which mutant is drawn, and several seeds draw each", () => {
  expect(randomItemOf(IDS, 1)).toBe(randomItemOf(IDS.toReversed(), 1));
  const drawn = Array.from({ length: 400 }, (_, seed) => randomItemOf(IDS, seed));
  expect(new Set(drawn)).toEqual(new Set(IDS));
  expect(randomItemOf([], 1)).toBeUndefined();
});
