import { expect, test } from "vitest";
import { WaitNotices } from "./wait-notices.ts";

function noticesOf(waits: readonly (readonly [number, string, string?])[]): readonly string[] {
  const said: string[] = [];
  const notices = new WaitNotices((text) => void said.push(text));
  for (const wait of waits) notices.waiting(...wait);
  notices.close();
  return said;
}

test("waits of a kind are announced once, and counted", () => {
  expect(
    noticesOf([
      [11_200, "the target responded with 429 to createDelivery", "429"],
      [61_000, "the target's limit per address is used up"],
      [4_000, "the target responded with 429 to listStores", "429"],
      [2_000, "the target responded with 429 to createDelivery", "429"],
    ]),
  ).toEqual([
    "waiting 12 s: the target responded with 429 to createDelivery",
    "waiting 61 s: the target's limit per address is used up",
    "waited 4 times, 79 s in total, partly at the same time",
  ]);
});

test("nothing is added if each wait was announced", () => {
  expect(noticesOf([])).toEqual([]);
  expect(noticesOf([[1_000, "a limit is used up"]])).toEqual(["waiting 1 s: a limit is used up"]);
});

test("a wait of unknown length is announced once, and not counted", () => {
  const said: string[] = [];
  const notices = new WaitNotices((text) => void said.push(text));
  for (let times = 0; times < 2; times += 1) notices.once("waiting 15 s at most: the target may be back");
  notices.close();
  expect(said).toEqual(["waiting 15 s at most: the target may be back"]);
});
