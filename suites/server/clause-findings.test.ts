import { expect, test } from "vitest";
import { checks } from "./checks/index.ts";
import { mutants } from "./mutants/index.ts";
import { runMutant } from "./mutants/run-mutant.ts";

const privacy = checks.filter(({ id }) => id === "tracking.privacy");

test("one leaked phone number is one failed clause, and not four", async () => {
  const outcomes = await runMutant(mutants["tracking-holds-the-phone-when-arrived"], privacy);
  expect(outcomes.get("tracking.privacy")?.clause_findings).toEqual({
    failed: ["TRACK-2"],
    held: ["TRACK-3", "TRACK-4", "TRACK-5"],
    not_reached: [],
  });
});

test("what the check didn't come to any more is said to be unreached", async () => {
  const outcomes = await runMutant(mutants["tracking-holds-the-name-when-assigned"], privacy);
  expect(outcomes.get("tracking.privacy")?.clause_findings).toEqual({
    failed: ["TRACK-3"],
    held: ["TRACK-2"],
    not_reached: ["TRACK-4", "TRACK-5"],
  });
});
