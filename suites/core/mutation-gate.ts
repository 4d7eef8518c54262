import { stripVTControlCharacters } from "node:util";
import { describe, expect, inject, test } from "vitest";
import type { CheckStatus, Outcome } from "./grading/outcome.ts";
import type {} from "./mutation-run.ts";

/** Checks and the broken subjects that they have to catch. */
export interface MutationGate<
  Check extends { readonly id: string; readonly mutants: readonly string[] },
  Mutant,
> {
  readonly checks: readonly Check[];
  readonly mutants: Readonly<Record<string, Mutant>>;
  /** Runs checks on the subject with the fault, and says how each ended. */
  runMutant(mutant: Mutant, checks: readonly Check[]): Promise<ReadonlyMap<string, Outcome>>;
  /** Runs all checks on it as a person's run does, beside each other, and blocked by each other. */
  runWhole?(mutant: Mutant): Promise<ReadonlyMap<string, Outcome>>;
  /** Whether several are tried at once, where runs mostly wait. */
  readonly concurrent?: boolean;
}

const LONGEST_RUN_MS = 120_000;

/** Words that a test library has, and a person hasn't. */
const OF_MATCHERS =
  /expect\(|(?:Array|Object|String)Containing|StringMatching|Symbol\(|\[Function|Object\.is|(?<![\w.+:-])\+0(?![\d.:])/;

/** What failures say of themselves that nobody would say. */
const linesOfMatchers = (outcomes: ReadonlyMap<string, Outcome>): readonly string[] =>
  [...outcomes].flatMap(([id, { status, message = "", expected = "", actual = "" }]) =>
    status === "failed"
      ? [message, expected, actual]
          .filter((said) => OF_MATCHERS.test(said) || said !== stripVTControlCharacters(said))
          .map((said) => `${id}: ${said}`)
      : [],
  );

const statusesOf = (outcomes: ReadonlyMap<string, Outcome>): Readonly<Record<string, CheckStatus>> =>
  Object.fromEntries([...outcomes].map(([check, { status }]) => [check, status]));

/** Registers the gate: every check names a mutant, and every mutant is caught by each check that names it. */
export function testMutationGate<
  Check extends { readonly id: string; readonly mutants: readonly string[] },
  Mutant,
>({ checks, mutants, runMutant, runWhole, concurrent = false }: MutationGate<Check, Mutant>): void {
  const { only, full, signatures } = inject("mutants") ?? { only: undefined, full: false };
  const all = Object.entries(mutants);
  const chosen = all.filter(([id]) => only === undefined || only.includes(id));

  if (signatures && runWhole) {
    for (const [id, mutant] of chosen) {
      test(id, { timeout: LONGEST_RUN_MS, concurrent: true }, async ({ task }) => {
        task.meta.mutantStatuses = statusesOf(await runWhole(mutant));
      });
    }
    return;
  }

  test("every check names a mutant, and every mutant is named", () => {
    const named = new Set(checks.flatMap((check) => check.mutants));
    expect(all.map(([id]) => id).filter((id) => !named.has(id))).toEqual([]);
    expect(checks.filter((check) => check.mutants.length === 0)).toEqual([]);
  });

  describe("each mutant is caught by the checks that name it, by assertion", () => {
    for (const [id, mutant] of chosen) {
      test(id, { timeout: LONGEST_RUN_MS, concurrent }, async ({ task }) => {
        const naming = checks.filter((check) => check.mutants.includes(id));
        const outcomes = await runMutant(mutant, full ? checks : naming);
        task.meta.mutantStatuses = statusesOf(outcomes);
        const ended = naming.map((check) => {
          const outcome = outcomes.get(check.id);
          return `${check.id}: ${outcome?.status}${outcome?.status === "failed" ? "" : ` ${outcome?.message ?? ""}`}`;
        });
        expect(ended).toEqual(naming.map((check) => `${check.id}: failed`));
        expect(linesOfMatchers(outcomes), "what is told in words of a test library").toEqual([]);
      });
    }
  });
}
