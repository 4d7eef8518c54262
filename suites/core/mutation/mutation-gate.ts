import { isDeepStrictEqual, stripVTControlCharacters } from "node:util";
import { describe, expect, inject, type TaskMeta, test } from "vitest";
import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import type { Outcome } from "../grading/outcome.ts";
import { failureWords } from "./failure-words.ts";
import type {} from "./mutation-run.ts";
import { drawnOf, testScope } from "./scope.ts";

/** What the gate knows of a check. */
interface GatedCheck {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
  readonly mutants: readonly string[];
}

/** Checks and the broken subjects that they have to catch. */
export interface MutationGate<Check extends GatedCheck, Mutant> {
  readonly checks: readonly Check[];
  readonly mutants: Readonly<Record<string, Mutant>>;
  /** Runs checks on the subject with the fault, and says how each ended. */
  runMutant(mutant: Mutant, checks: readonly Check[]): Promise<ReadonlyMap<string, Outcome>>;
  /** Runs checks on it as a person's run does, beside each other, and blocked by each other. */
  runWhole?(mutant: Mutant, ids: readonly string[]): Promise<ReadonlyMap<string, Outcome>>;
  /** The elements of a set that a mutant breaks alone, and that a failure of this check by it has to name. */
  elementsBrokenBy?(mutant: string, check: NoInfer<Check>): readonly string[];
  /** How the place of this check's failure by it begins, behind the count, where the check goes through several. */
  placeOf?(mutant: string, check: NoInfer<Check>): string | undefined;
  /** To how many of a check's clauses its failure is laid at most; to any number where nothing is said. */
  readonly mostFailedClauses?: number;
  /** To which of its clauses this check's failure by a mutant is laid, where that is known. */
  failedClausesOf?(mutant: string, check: NoInfer<Check>): readonly ClauseId[] | undefined;
  /** Whether several are tried at once, where runs mostly wait. */
  readonly concurrent?: boolean;
  /** Whether this check takes all the processor that it gets: mutants that it names are tried one after the other. */
  isBusy?(check: NoInfer<Check>): boolean;
}

/** Words that a test library has, and a person hasn't. */
const OF_MATCHERS =
  /expect\(|(?:Array|Object|String)Containing|StringMatching|Symbol\(|(?:Set|Map)\(\d|\[Function|\[ Array\(|\{ Object \(|Object\.is|(?<![\w.+:-])\+0(?![\d.:])/;

/** What failures say of themselves that nobody would say. */
const linesOfMatchers = (outcomes: ReadonlyMap<string, Outcome>): readonly string[] =>
  [...outcomes].flatMap(([id, { status, message = "", expected = "", actual = "" }]) =>
    status === "failed"
      ? [message, expected, actual]
          .filter((said) => OF_MATCHERS.test(said) || said !== stripVTControlCharacters(said))
          .map((said) => `${id}: ${said}`)
      : [],
  );

/** Whether a failure says at which element it was: by its name, or by the last part of it where others stand around it. */
const isNamedIn = ({ message, at, expected, actual, counterexample }: Outcome, element: string): boolean =>
  [message, at, expected, actual, counterexample].some(
    (said) => said?.includes(element) || said?.includes(element.split(".").at(-1) ?? element),
  );

/** What `npm run mutants` is told of a mutant. */
const toldOf = (outcomes: ReadonlyMap<string, Outcome>): TaskMeta => {
  const all = [...outcomes];
  const failed = all.filter(([, { status }]) => status === "failed");
  return {
    mutantStatuses: Object.fromEntries(all.map(([check, { status }]) => [check, status])),
    mutantWords: Object.fromEntries(
      failed.map(([check, { message = "" }]) => [check, failureWords(message)]),
    ),
  };
};

/** Registers the gate: every mutant is caught by each check that names it; in a quick run, one drawn mutant of each check is. */
export function testMutationGate<Check extends GatedCheck, Mutant>({
  checks,
  mutants,
  runMutant,
  runWhole,
  elementsBrokenBy,
  placeOf,
  mostFailedClauses = Number.POSITIVE_INFINITY,
  failedClausesOf,
  concurrent = false,
  isBusy = () => false,
}: MutationGate<Check, Mutant>): void {
  const { only, full, signatures } = inject("mutants") ?? { only: undefined, full: false };
  const all = Object.entries(mutants);
  const { quick, seed } = testScope();
  const drawn = checks.flatMap((check) => drawnOf(check.mutants, seed) ?? []);
  const asked = only ?? (quick ? drawn : undefined);
  const chosen = all.filter(([id]) => asked === undefined || asked.includes(id));

  if (signatures && runWhole) {
    for (const [id, mutant] of chosen) {
      test(id, { concurrent: true }, async ({ task }) => {
        Object.assign(task.meta, toldOf(await runWhole(mutant, signatures[id] ?? [])));
      });
    }
    return;
  }

  describe("each mutant is caught by the checks that name it, by assertion", () => {
    for (const [id, mutant] of chosen) {
      const naming = checks.filter((check) => check.mutants.includes(id));
      test(id, { concurrent: concurrent && !naming.some(isBusy) }, async ({ task }) => {
        const outcomes = await runMutant(mutant, full ? checks : naming);
        Object.assign(task.meta, toldOf(outcomes));
        const ended = naming.map((check) => {
          const outcome = outcomes.get(check.id);
          return `${check.id}: ${outcome?.status}${outcome?.status === "failed" ? "" : ` ${outcome?.message ?? ""}`}`;
        });
        // Told in the heading too: of lists the library's own heading says how long they are.
        expect(ended, ended.join("; ")).toEqual(naming.map((check) => `${check.id}: failed`));
        const unnamed = naming.flatMap((check) => {
          const elements = elementsBrokenBy?.(id, check) ?? [];
          const outcome = outcomes.get(check.id);
          const isNamed = elements.length === 0 || elements.some((one) => outcome && isNamedIn(outcome, one));
          return isNamed ? [] : [`${check.id}: ${outcome?.message}; at ${outcome?.at}`];
        });
        expect(unnamed, "failures that don't name the one element that is broken").toEqual([]);
        const elsewhere = naming.flatMap((check) => {
          const place = placeOf?.(id, check);
          const at = outcomes.get(check.id)?.at;
          return place === undefined || at?.replace(/^\d+ of \d+ /, "").startsWith(place)
            ? []
            : [`${check.id}: at ${at}, not ${place}`];
        });
        expect(elsewhere, "failures that don't say at which of several they were").toEqual([]);
        const laidElsewhere = naming.flatMap((check) => {
          const failed = (outcomes.get(check.id)?.clause_findings?.failed ?? check.clauses).toSorted();
          const due = failedClausesOf?.(id, check)?.toSorted();
          const isRight = due ? isDeepStrictEqual(failed, due) : failed.length <= mostFailedClauses;
          return isRight ? [] : [`${check.id}: ${failed.join(", ")}; not ${due?.join(", ") ?? "so many"}`];
        });
        expect(
          laidElsewhere,
          `failures laid to clauses that they aren't of: ${laidElsewhere.join("; ")}`,
        ).toEqual([]);
        expect(linesOfMatchers(outcomes), "what is told in words of a test library").toEqual([]);
      });
    }
  });
}
