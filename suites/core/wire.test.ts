import { expect, test } from "vitest";
import { WireLog } from "./wire.ts";

test("the first and last of thousands of entries are kept in order", () => {
  const log = new WireLog<number>();
  for (let number = 0; number < 5_000; number += 1) log.add(number);
  const { exchanges } = log;
  expect(exchanges.length).toBeLessThanOrEqual(600);
  expect(exchanges.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, index) => index));
  expect(exchanges.at(-1)).toBe(4_999);
  expect(exchanges).toEqual(exchanges.toSorted((one, other) => one - other));
});

test("a small number of entries is kept completely", () => {
  const log = new WireLog<number>();
  for (let number = 0; number < 450; number += 1) log.add(number);
  expect(log.exchanges).toEqual(Array.from({ length: 450 }, (_, index) => index));
});
