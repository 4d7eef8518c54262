import { stripVTControlCharacters } from "node:util";
import { describe, expect, inject, test } from "vitest";
import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import type { Outcome } from "../grading/outcome.ts";
import { type Break, breakMistakes, isNamedIn } from "./breaks.ts";
import type {} from "./mutation-run.ts";
import { drawnOf, testScope } from "./scope.ts";

/** The properties of a check that the test uses. */
interface GatedCheck {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
  readonly mutants: readonly string[];
}

/** Checks, and the mutants that they have to detect. */
interface MutationGate<Check extends GatedCheck, Mutant> {
  readonly checks: readonly Check[];
  readonly mutants: Readonly<Record<string, Mutant>>;
  runMutant(mutant: Mutant, checks: readonly Check[]): Promise<ReadonlyMap<string, Outcome>>;
  /** The elements that the mutant breaks, and that the check's failure has to name. */
  elementsBrokenBy?(mutant: string, check: NoInfer<Check>): readonly string[];
  /** The clauses that a mutant declares to break, if the suite's mutants have declarations. */
  breaksOf?(mutant: Mutant): readonly Break[];
  /** True to run several mutants concurrently, for suites that spend most of their time waiting. */
  readonly concurrent?: boolean;
  /** True for a check with high CPU use, whose mutants run one at a time. */
  isBusy?(check: NoInfer<Check>): boolean;
}

/** Words that occur in a test library's messages, but not in the suite's. */
const OF_MATCHERS =
  /expect\(|(?:Array|Object|String)Containing|StringMatching|Symbol\(|(?:Set|Map)\(\d|\[Function|\[ Array\(|\{ Object \(|Object\.is|(?<![\w.+:-])\+0(?![\d.:])/;

/** Messages of failures that come from a test library. */
const linesOfMatchers = (outcomes: ReadonlyMap<string, Outcome>): readonly string[] =>
  [...outcomes].flatMap(([id, { status, message = "", expected = "", actual = "" }]) =>
    status === "failed"
      ? [message, expected, actual]
          .filter((said) => OF_MATCHERS.test(said) || said !== stripVTControlCharacters(said))
          .map((said) => `${id}: ${said}`)
      : [],
  );

/** Tests that each check detects the mutants that it names. A quick run tries one random mutant per check. */
export function testMutationGate<Check extends GatedCheck, Mutant>({
  checks,
  mutants,
  runMutant,
  elementsBrokenBy,
  breaksOf,
  concurrent = false,
  isBusy = () => false,
}: MutationGate<Check, Mutant>): void {
  const { only, full } = inject("mutants") ?? { only: undefined, full: false };
  const all = Object.entries(mutants);
  const { quick, seed } = testScope();
  const drawn = checks.flatMap((check) => drawnOf(check.mutants, seed) ?? []);
  const asked = only ?? (quick ? drawn : undefined);
  const chosen = all.filter(([id]) => asked === undefined || asked.includes(id));

  describe("each mutant is caught by the checks that name it, by assertion", () => {
    for (const [id, mutant] of chosen) {
      const naming = checks.filter((check) => check.mutants.includes(id));
      test(id, { concurrent: concurrent && !naming.some(isBusy) }, async ({ task }) => {
        const outcomes = await runMutant(mutant, full ? checks : naming);
        task.meta.mutantStatuses = Object.fromEntries(
          [...outcomes].map(([check, { status }]) => [check, status]),
        );
        const ended = naming.map((check) => {
          const outcome = outcomes.get(check.id);
          return `${check.id}: ${outcome?.status}${outcome?.status === "failed" ? "" : ` ${outcome?.message ?? ""}`}`;
        });
        // The message repeats the list, because vitest's heading only shows lengths.
        expect(ended, ended.join("; ")).toEqual(naming.map((check) => `${check.id}: failed`));
        const unnamed = naming.flatMap((check) => {
          const elements = elementsBrokenBy?.(id, check) ?? [];
          const outcome = outcomes.get(check.id);
          const isNamed = elements.length === 0 || elements.some((one) => outcome && isNamedIn(outcome, one));
          return isNamed ? [] : [`${check.id}: ${outcome?.message}; at ${outcome?.at}`];
        });
        expect(unnamed, "failures that don't name the one element that is broken").toEqual([]);
        const mistakes = breaksOf ? breakMistakes(breaksOf(mutant), naming, outcomes) : [];
        expect(mistakes, mistakes.join("; ")).toEqual([]);
        expect(linesOfMatchers(outcomes), "messages in the words of a test library").toEqual([]);
      });
    }
  });
}
