import { expect, test } from "vitest";
import { SharedLock } from "./shared-lock.ts";

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("exclusive work runs alone, and shared work runs concurrently", async () => {
  const lock = new SharedLock();
  let [sharing, exclusive, most] = [0, 0, 0];
  const violations: string[] = [];
  const sharedWork = async () => {
    sharing += 1;
    most = Math.max(most, sharing);
    violations.push(...(exclusive > 0 ? ["shared work during exclusive work"] : []));
    await turns(3);
    sharing -= 1;
  };
  const exclusiveWork = async () => {
    exclusive += 1;
    violations.push(...(exclusive > 1 || sharing > 0 ? ["exclusive work during other work"] : []));
    await turns(2);
    exclusive -= 1;
  };
  await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      i % 4 === 3 ? lock.exclusive(exclusiveWork) : lock.shared(sharedWork),
    ),
  );
  expect(violations).toEqual([]);
  expect(most).toBeGreaterThan(1);
});

test("the lock is granted in the order of requests, so that shared work doesn't starve exclusive work", async () => {
  const lock = new SharedLock();
  const order: string[] = [];
  const holding = (name: string) => async () => {
    order.push(name);
    await turns(2);
  };
  await Promise.all([
    lock.shared(holding("first")),
    lock.exclusive(holding("exclusive")),
    lock.shared(holding("later")),
    lock.shared(holding("last")),
  ]);
  expect(order).toEqual(["first", "exclusive", "later", "last"]);
});

test("failed work releases the lock", async () => {
  const lock = new SharedLock();
  await expect(lock.exclusive(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lock.shared(async () => "done")).toBe("done");
});
