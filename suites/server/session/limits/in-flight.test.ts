import { expect, test } from "vitest";
import { InFlightLimit } from "./in-flight.ts";

test("the number of pending requests is limited, and they start in order, even if some fail", async () => {
  const limit = new InFlightLimit(2);
  const begun: number[] = [];
  let under = 0;
  let most = 0;
  const all = [0, 1, 2, 3, 4, 5].map((number) =>
    limit.within(async () => {
      begun.push(number);
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      if (number % 2 === 0) throw new Error("lost");
      return number;
    }),
  );
  const ended = await Promise.allSettled(all);
  expect(ended.map(({ status }) => status === "fulfilled")).toEqual([false, true, false, true, false, true]);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
  await expect(limit.within(async () => "room again")).resolves.toBe("room again");
});
