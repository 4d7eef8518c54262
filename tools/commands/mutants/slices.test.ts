import { describe, expect, test } from "vitest";
import { UsageError } from "../../usage-error.ts";
import { inBreadth, slicedBy, sliceOf } from "./slices.ts";

describe("slices", () => {
  const all = Array.from({ length: 23 }, (_, index) => index);

  test.each([1, 2, 7, 20, 23, 40])("%i of them hold everything once, in its order", (of) => {
    const slices = Array.from({ length: of }, (_, index) => slicedBy(all, { number: index + 1, of }));
    expect(slices.flat()).toEqual(all);
    const sizes = slices.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  test("are named by number and count", () => {
    expect(sliceOf("3/20")).toEqual({ number: 3, of: 20 });
    for (const wrong of ["0/20", "21/20", "3", "3/", "a/b", "-1/4", "1/0", "1.5/3"]) {
      expect(() => sliceOf(wrong)).toThrow(UsageError);
    }
  });
});

test("one mutant of each group comes first, then one of each check before a second of any, and each once", () => {
  const checks = [
    { id: "x.one", mutants: ["a", "b", "c"] },
    { id: "x.two", mutants: ["a"] },
    { id: "x.three", mutants: ["d", "c"] },
    { id: "y.one", mutants: ["e", "f"] },
  ];
  expect(inBreadth(checks)).toEqual(["a", "e", "d", "b", "c", "f"]);
});
