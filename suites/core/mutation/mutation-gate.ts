import { stripVTControlCharacters } from "node:util";
import { describe, expect, inject, test } from "vitest";
import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import type { CheckStatus, Outcome } from "../grading/outcome.ts";
import type { Break } from "./breaks.ts";
import { type Catchable, checksThatCatch, mutantsCaughtBy } from "./catching.ts";
import { randomItemOf, testScope } from "./scope.ts";

interface MutationRun {
  /** The ids of the mutants to run; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** True to run all checks on each mutant, for the whole matrix. */
  readonly full: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    mutants?: MutationRun;
  }
  interface TaskMeta {
    /** The status of each check that was tried on the mutant. */
    mutantStatuses?: Readonly<Record<string, CheckStatus>>;
  }
}

type FailedCheck = Readonly<{ id: string; clauses: readonly ClauseId[] }>;

/** The clauses that a check's failure blames. Defaults to all of the check's clauses. */
const blamedClauses = ({ clauses }: FailedCheck, { clause_findings }: Outcome): readonly string[] =>
  clause_findings?.failed ?? clauses;

/** True if a failure names this case, either in full or by the last part of its path. */
const isNamedIn = ({ message, at, expected, actual, counterexample }: Outcome, name: string): boolean =>
  [message, at, expected, actual, counterexample].some(
    (text) => text?.includes(name) || text?.includes(name.split(".").at(-1) ?? name),
  );

const sorted = (names: Iterable<string>): string => [...new Set(names)].toSorted().join(", ");

/** How a failure contradicts the declared cases of its clauses. Undefined if it doesn't. */
function caseMismatch(check: FailedCheck, outcome: Outcome, breaks: readonly Break[]): string | undefined {
  const clauses = blamedClauses(check, outcome);
  const broken = breaks.filter(({ clause }) => clauses.includes(clause));
  const declared = broken.flatMap((one) => one.case ?? []);
  const { failed = [], held = [] } = outcome.cases ?? {};
  const isPartial = held.length > 0;
  if (isPartial && declared.length === 0) return `${check.id} fails at a case: ${sorted(failed)}`;
  // The mutant also breaks the clause in other cases, and another check may name those.
  if (!isPartial && declared.length < broken.length) return undefined;
  const unnamed = declared.filter((name) => !failed.includes(name) && !isNamedIn(outcome, name));
  if (unnamed.length > 0)
    return `${check.id} doesn't fail at ${sorted(unnamed)}: ${outcome.message}; at ${outcome.at}`;
  const others = failed.filter((name) => !declared.includes(name));
  return isPartial && others.length > 0 && others.length < failed.length
    ? `${check.id} fails at more cases: ${sorted(others)}`
    : undefined;
}

/** Contradictions between a mutant's failures and its declared breaks, one line each. Empty if there are none. */
function breakMismatches(
  breaks: readonly Break[],
  checks: readonly FailedCheck[],
  outcomes: ReadonlyMap<string, Outcome>,
): readonly string[] {
  const ended = checks.flatMap((check) => {
    const outcome = outcomes.get(check.id);
    return outcome?.status === "failed" ? [{ check, outcome }] : [];
  });
  const declared = sorted(breaks.map(({ clause }) => clause));
  const found = sorted(ended.flatMap(({ check, outcome }) => blamedClauses(check, outcome)));
  return [
    ...(declared === found ? [] : [`it breaks ${found}, but declares ${declared}`]),
    ...ended.flatMap(({ check, outcome }) => caseMismatch(check, outcome, breaks) ?? []),
  ];
}

/** The properties of a check that the test uses. */
interface GatedCheck {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
}

/** Checks, and the mutants that they have to detect. */
interface MutationGate<Check extends GatedCheck, Mutant extends Catchable> {
  readonly checks: readonly Check[];
  readonly mutants: Readonly<Record<string, Mutant>>;
  /** True for the mutants of this test file. By default all mutants are. */
  isOfFile?(mutant: string): boolean;
  runMutant(mutant: Mutant, checks: readonly Check[]): Promise<ReadonlyMap<string, Outcome>>;
  /** The elements that the mutant breaks, and that the check's failure has to name. */
  elementsBrokenBy?(mutant: string, check: NoInfer<Check>): readonly string[];
  /** True to run several mutants concurrently, for suites that spend most of their time waiting. */
  readonly concurrent?: boolean;
  /** True for a check with high CPU use, whose mutants run one at a time. */
  isBusy?(check: NoInfer<Check>): boolean;
}

/** Words that occur in a test library's messages, but not in the suite's. */
const MATCHER_WORDS =
  /expect\(|(?:Array|Object|String)Containing|StringMatching|Symbol\(|(?:Set|Map)\(\d|\[Function|\[ Array\(|\{ Object \(|Object\.is|(?<![\w.+:-])\+0(?![\d.:])/;

/** Messages of failures that come from a test library. */
const matcherMessages = (outcomes: ReadonlyMap<string, Outcome>): readonly string[] =>
  [...outcomes].flatMap(([id, { status, message = "", expected = "", actual = "" }]) =>
    status === "failed"
      ? [message, expected, actual]
          .filter((message) => MATCHER_WORDS.test(message) || message !== stripVTControlCharacters(message))
          .map((message) => `${id}: ${message}`)
      : [],
  );

/** Tests that the checks of each mutant catch it. A quick run tries one random mutant per check. */
export function testMutationGate<Check extends GatedCheck, Mutant extends Catchable>({
  checks,
  mutants,
  isOfFile = () => true,
  runMutant,
  elementsBrokenBy,
  concurrent = false,
  isBusy = () => false,
}: MutationGate<Check, Mutant>): void {
  const { only, full } = inject("mutants") ?? { only: undefined, full: false };
  const all = Object.entries(mutants);
  const { quick, seed } = testScope();
  const drawn = () => checks.flatMap((check) => randomItemOf(mutantsCaughtBy(check, mutants), seed) ?? []);
  const selected = only ?? (quick ? drawn() : undefined);
  const chosen = all
    .filter(([id]) => isOfFile(id) && (selected === undefined || selected.includes(id)))
    .map(([id, mutant]) => {
      const catching = checksThatCatch(mutant, checks);
      return { id, mutant, catching, isConcurrent: concurrent && !catching.some(isBusy) };
    })
    // Concurrent tests come first, because each other test waits for all tests before it.
    .toSorted((one, other) => Number(other.isConcurrent) - Number(one.isConcurrent));

  describe("each mutant is caught by its checks, by assertion", () => {
    for (const { id, mutant, catching, isConcurrent } of chosen) {
      test(id, { concurrent: isConcurrent }, async ({ task }) => {
        const outcomes = await runMutant(mutant, full ? checks : catching);
        task.meta.mutantStatuses = Object.fromEntries(
          [...outcomes].map(([check, { status }]) => [check, status]),
        );
        const ended = catching.map((check) => {
          const outcome = outcomes.get(check.id);
          return `${check.id}: ${outcome?.status}${outcome?.status === "failed" ? "" : ` ${outcome?.message ?? ""}`}`;
        });
        // The message repeats the list, because vitest's heading only shows lengths.
        expect(ended, ended.join("; ")).toEqual(catching.map((check) => `${check.id}: failed`));
        const unnamed = catching.flatMap((check) => {
          const elements = elementsBrokenBy?.(id, check) ?? [];
          const outcome = outcomes.get(check.id);
          const isNamed = elements.length === 0 || elements.some((one) => outcome && isNamedIn(outcome, one));
          return isNamed ? [] : [`${check.id}: ${outcome?.message}; at ${outcome?.at}`];
        });
        expect(unnamed, "failures that don't name the one element that is broken").toEqual([]);
        const mistakes = mutant.breaks ? breakMismatches(mutant.breaks, catching, outcomes) : [];
        expect(mistakes, mistakes.join("; ")).toEqual([]);
        expect(matcherMessages(outcomes), "messages in the words of a test library").toEqual([]);
      });
    }
  });
}
