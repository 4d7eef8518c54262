import { expect, test } from "vitest";
import { drawnOf } from "./scope.ts";

const IDS = Array.from({ length: 20 }, (_, n) => `mutant-${n}`);

test("the seed alone decides which mutant is drawn, and several seeds draw each", () => {
  expect(drawnOf(IDS, 1)).toBe(drawnOf(IDS.toReversed(), 1));
  const drawn = Array.from({ length: 400 }, (_, seed) => drawnOf(IDS, seed));
  expect(new Set(drawn)).toEqual(new Set(IDS));
  expect(drawnOf([], 1)).toBeUndefined();
});
