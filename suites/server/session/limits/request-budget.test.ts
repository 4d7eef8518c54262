import { expect, test, vi } from "vitest";
import { RequestBudget } from "./request-budget.ts";

/** Time passes as it is waited for. */
const time = vi.hoisted(() => ({ now: 0 }));
vi.mock(import("../../../core/clock.ts"), async (original) => ({
  ...(await original()),
  monotonicNow: () => time.now,
  async pause(milliseconds) {
    time.now += milliseconds;
  },
}));

test("a wait for our own budget says whose count it goes by: the target may show none, and have refused nothing", async () => {
  const told: string[] = [];
  const budget = new RequestBudget("the target's limit per integrator", 1, (_, why) => void told.push(why));
  (await budget.take()).settle();
  await budget.take();
  expect(told).toEqual(["the target's limit per integrator is used up, by the suite's own count"]);
});
