import fc from "fast-check";
import { expect, test } from "vitest";
import { PrefixFilter } from "./prefix-filter.ts";

const beginning = fc.string({ unit: "binary", minLength: 6, maxLength: 12 }).map((text) => text.slice(0, 6));

const filterOf = (beginnings: readonly string[]): PrefixFilter => {
  const filter = new PrefixFilter(6);
  for (const text of beginnings) filter.add(text);
  return filter;
};

test("returns the position of a prefix in any text", () => {
  fc.assert(
    fc.property(
      fc.array(beginning, { minLength: 1 }),
      fc.string({ unit: "binary" }),
      fc.nat(),
      fc.string({ unit: "binary" }),
      (beginnings, before, pick, after) => {
        const beginningThere = beginnings[pick % beginnings.length] ?? "";
        const positions = filterOf(beginnings).positionsIn(`${before}${beginningThere}${after}`);
        expect([...positions]).toContain(before.length);
      },
    ),
  );
});

test("returns few other positions", () => {
  const filter = filterOf(Array.from({ length: 1_000 }, (_, index) => `${100_000 + index * 7}`));
  const text = "Ayşe Yılmaz, Moda Caddesi 12, Kadıköy; zili çalmayın. ".repeat(100);
  expect([...filter.positionsIn(text)].length).toBeLessThan(text.length / 20);
});

test("returns no position in a text that is shorter than the prefixes", () => {
  expect([...filterOf(["abcdef"]).positionsIn("abcde")]).toEqual([]);
});
