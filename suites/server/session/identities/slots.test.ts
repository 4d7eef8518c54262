import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

/** Requests slots for each caller, and reports which callers have them. */
function queueFor(places: Slots, counts: readonly number[]) {
  const entered: number[] = [];
  const all = counts.map((count, index) => places.take(count).then(() => void entered.push(index)));
  return { entered, all };
}

test("a request waits for a returned slot if all are taken, in order", async () => {
  const places = new Slots(2);
  const { entered, all } = queueFor(places, [1, 1, 1, 1]);
  await Promise.all(all.slice(0, 2));
  expect(entered).toEqual([0, 1]);
  places.giveBack(1);
  await all[2];
  expect(entered).toEqual([0, 1, 2]);
  places.giveBack(1);
  await all[3];
});

test("several slots are taken together, and a smaller request can't overtake a larger one", async () => {
  const places = new Slots(2);
  const { entered, all } = queueFor(places, [1, 2, 1]);
  await all[0];
  expect(entered).toEqual([0]);
  places.giveBack(1);
  await all[1];
  expect(entered).toEqual([0, 1]);
  places.giveBack(2);
  await all[2];
});
