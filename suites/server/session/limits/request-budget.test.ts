import { expect, test } from "vitest";
import { RequestBudget } from "./request-budget.ts";

test("the notice of a wait for the suite's own budget says so", async () => {
  const reason = Promise.withResolvers<string>();
  const budget = new RequestBudget("the target's limit per integrator", 1, (_, why) => reason.resolve(why));
  (await budget.take()).settle();
  // The request waits for a minute after it has reported the reason.
  void budget.take();
  expect(await reason.promise).toBe("the target's limit per integrator is used up, by the suite's own count");
});
