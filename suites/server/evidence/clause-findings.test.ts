import { expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import { mutantOf } from "../mutants/index.ts";
import { runMutant } from "../mutants/run-mutant.ts";

const privacy = checks.filter(({ id }) => id === "tracking.privacy");

test("a leaked phone number fails one clause, not four", async () => {
  const outcomes = await runMutant(mutantOf("tracking-shows-the-phone-when-arrived"), privacy);
  expect(outcomes.get("tracking.privacy")?.clause_findings).toEqual({
    failed: ["TRACK-2"],
    held: [],
    not_reached: ["TRACK-3", "TRACK-4", "TRACK-5", "TRACK-23"],
  });
});

test("clauses that a failed case reached before its failure are reported as held", async () => {
  const outcomes = await runMutant(mutantOf("tracking-shows-the-name-when-assigned"), privacy);
  expect(outcomes.get("tracking.privacy")?.clause_findings).toEqual({
    failed: ["TRACK-3"],
    held: ["TRACK-2"],
    not_reached: ["TRACK-4", "TRACK-5", "TRACK-23"],
  });
});

test("a misread offset fails only the clause of offsets", async () => {
  const zones = checks.filter(({ id }) => id === "times.zones");
  const outcomes = await runMutant(mutantOf("offset-sign-ignored-for-minutes"), zones);
  expect(outcomes.get("times.zones")?.clause_findings).toEqual({
    failed: ["GEN-8"],
    held: ["GEN-9"],
    not_reached: [],
  });
});
