import { expect, test } from "vitest";
import { Cursors, cursorParts } from "./cursors.ts";

const given = (seed: number) => {
  const cursors = new Cursors(cursorParts(seed));
  return ["a", "b", "a"].map((next_cursor) => cursors.toClient({ items: [], next_cursor }));
};

test("runs with the same seed have the same cursors, and runs with different seeds have different ones", () => {
  expect(given(1)).toEqual(given(1));
  expect(given(1)[0]).toEqual(given(1)[2]);
  expect(given(1)[0]).not.toEqual(given(1)[1]);
  expect(given(2)[0]).not.toEqual(given(1)[0]);
});
