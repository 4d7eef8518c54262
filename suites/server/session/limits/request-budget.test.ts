import { expect, test } from "vitest";
import { RequestBudget } from "./request-budget.ts";

test("a wait for our own budget says whose count it goes by: the target may show none, and have refused nothing", async () => {
  const told = Promise.withResolvers<string>();
  const budget = new RequestBudget("the target's limit per integrator", 1, (_, why) => told.resolve(why));
  (await budget.take()).settle();
  // The take waits for a minute. Its notice comes first.
  void budget.take();
  expect(await told.promise).toBe("the target's limit per integrator is used up, by the suite's own count");
});
