import { expect, test } from "vitest";
import { SharedLock } from "./shared-lock.ts";

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("nobody works while another works alone, and those beside each other do", async () => {
  const lock = new SharedLock();
  let [beside, alone, most] = [0, 0, 0];
  const broken: string[] = [];
  const share = async () => {
    beside += 1;
    most = Math.max(most, beside);
    broken.push(...(alone > 0 ? ["beside one who is alone"] : []));
    await turns(3);
    beside -= 1;
  };
  const lone = async () => {
    alone += 1;
    broken.push(...(alone > 1 || beside > 0 ? ["alone beside others"] : []));
    await turns(2);
    alone -= 1;
  };
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? lock.exclusive(lone) : lock.shared(share))),
  );
  expect(broken).toEqual([]);
  expect(most).toBeGreaterThan(1);
});

test("who asked first gets it first, so that one who wants it alone isn't passed by", async () => {
  const lock = new SharedLock();
  const order: string[] = [];
  const holding = (name: string) => async () => {
    order.push(name);
    await turns(2);
  };
  await Promise.all([
    lock.shared(holding("first")),
    lock.exclusive(holding("alone")),
    lock.shared(holding("later")),
    lock.shared(holding("last")),
  ]);
  expect(order).toEqual(["first", "alone", "later", "last"]);
});

test("work that fails gives the lock back", async () => {
  const lock = new SharedLock();
  await expect(lock.exclusive(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lock.shared(async () => "done")).toBe("done");
});
