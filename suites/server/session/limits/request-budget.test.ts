import { expect, test } from "vitest";
import { RequestBudget } from "./request-budget.ts";

test("a wait for our own budget says whose count it goes by: the target may show none, and have refused nothing", async () => {
  const budget = new RequestBudget("the target's limit per integrator", 1, (_, why) => {
    throw new Error(why);
  });
  (await budget.take()).settle();
  await expect(budget.take()).rejects.toThrow(
    "the target's limit per integrator is used up, by the suite's own count",
  );
});
