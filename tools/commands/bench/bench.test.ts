import { expect, test } from "vitest";
import { figureLines } from "./bench.ts";
import { compared, median } from "./measurement.ts";

test("the median is in the middle", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

test("two measurements alternate, each after one warm-up call", async () => {
  const calls: string[] = [];
  const measurement = (name: string, values: number[]) => async () => {
    calls.push(name);
    return values.shift() ?? 0;
  };
  const { ratios } = await compared(3, measurement("a", [9, 1, 2, 4]), measurement("b", [9, 2, 2, 2]));
  expect(calls.join("")).toBe("ababbaab");
  expect(ratios).toEqual([2, 1, 0.5]);
});

test.each([
  ["at least", 2, 2, "met"],
  ["at least", 2, 1.9, "MISSED"],
  ["at most", 2, 2, "met"],
  ["at most", 2, 2.1, "MISSED"],
] as const)("%s %d: %d is %s", (relation, bound, value, verdict) => {
  const figure = {
    title: "row",
    unit: "s",
    values: [value],
    target: [relation, bound],
    detail: "detail",
  } as const;
  expect(figureLines([figure])).toContain(`${relation} ${bound}: ${verdict}`);
});
