import { describe, expect, inject, test } from "vitest";
import { checks } from "./index.ts";
import { mutants } from "./mutants/index.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { tryMutant } from "./mutants/trial.ts";
import type { MutantsRun } from "./mutants-run.ts";

const LONGEST_TRIAL_MS = 120_000;

const { only, full }: MutantsRun = inject("mutants") ?? { only: undefined, full: false };
const all: readonly (readonly [string, Mutant])[] = Object.entries(mutants);
const chosen = all.filter(([id]) => only === undefined || only.includes(id));

test("every check names a mutant, and every mutant is named", () => {
  const named = new Set<string>(checks.flatMap((check) => check.mutants));
  expect(all.map(([id]) => id).filter((id) => !named.has(id))).toEqual([]);
  expect(checks.filter((check) => check.mutants.length === 0)).toEqual([]);
});

describe("each mutant is caught by the checks that name it, by assertion", () => {
  for (const [id, mutant] of chosen) {
    test(id, { timeout: LONGEST_TRIAL_MS }, async ({ task }) => {
      const naming = checks.filter((check) => check.mutants.some((name) => name === id));
      const outcomes = await tryMutant(mutant, full ? checks : naming);
      task.meta.trial = Object.fromEntries([...outcomes].map(([check, { status }]) => [check, status]));
      const ended = naming.map((check) => {
        const outcome = outcomes.get(check.id);
        return `${check.id}: ${outcome?.status}${outcome?.status === "failed" ? "" : ` ${outcome?.message ?? ""}`}`;
      });
      expect(ended).toEqual(naming.map((check) => `${check.id}: failed`));
    });
  }
});
