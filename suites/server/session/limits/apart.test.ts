import { expect, test } from "vitest";
import { tellsApart } from "./apart.ts";

/** Counts requests by `keyOf` their address; the window begins anew before the requests with these numbers, and the answers to some are lost. */
function aTarget(
  keyOf: (address: number) => number,
  { anewBefore = [], lost = [] }: { anewBefore?: readonly number[]; lost?: readonly number[] } = {},
) {
  let addresses = 0;
  let asked = 0;
  const used = new Map<number, number>();
  const restOf = async (address: number) => {
    asked += 1;
    if (anewBefore.includes(asked)) used.clear();
    const count = (used.get(keyOf(address)) ?? 0) + 1;
    used.set(keyOf(address), count);
    return lost.includes(asked) ? undefined : 300 - count;
  };
  return tellsApart(() => addresses++, restOf);
}

const apart = (address: number) => address;
const asOne = () => 0;

test("a target that counts each address by itself tells them apart, whenever its window begins anew", async () => {
  expect(await aTarget(apart)).toBe(true);
  for (const request of [1, 2, 3, 4, 5, 8])
    expect(await aTarget(apart, { anewBefore: [request] })).toBe(true);
});

test("one that counts all as one doesn't", async () => {
  expect(await aTarget(asOne)).toBe(false);
  for (const request of [1, 2, 3, 4]) expect(await aTarget(asOne, { anewBefore: [request] })).toBe(false);
});

test("an answer that is lost tells nothing of either", async () => {
  for (const request of [1, 4, 5, 8]) {
    expect(await aTarget(apart, { lost: [request] })).toBe(true);
    expect(await aTarget(asOne, { lost: [request] })).toBe(false);
  }
});

test("nor does one that says nothing of what is left", async () => {
  expect(
    await tellsApart(
      () => 0,
      async () => undefined,
    ),
  ).toBe(false);
});
