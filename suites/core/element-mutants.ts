import { expect, test } from "vitest";
import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { Subject } from "./contract/claims.ts";
import { clauseListOf, setsOf } from "./contract/clause-list.ts";
import { elementSets, type SetName } from "./contract/element-sets.ts";
import type { Outcome } from "./grading/outcome.ts";
import { type Catchable, mutantsCaughtBy } from "./mutation/catching.ts";

/** The id of the mutant that breaks a quantified clause for one element alone, by clause. */
export type ElementMutants = Readonly<Partial<Record<ClauseId, (element: string, set: SetName) => string>>>;

/** Returns a set's elements; for a set that the target lists, the reference implementation's elements. */
type ElementsIn = (set: SetName) => readonly string[];

const inDocument: ElementsIn = (set) => elementSets[set].elements;

export interface CheckOfClauses {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
}

/** Each quantified clause with each of its sets. */
const clausesOverSets = (subject: Subject): readonly { readonly id: ClauseId; readonly set: SetName }[] =>
  clauseListOf(subject).clauses.flatMap((clause) => setsOf(clause).map((set) => ({ id: clause.id, set })));

/** The elements of the check's sets that a mutant breaks. */
export function brokenElements(
  subject: Subject,
  table: ElementMutants,
  elementsIn: ElementsIn = inDocument,
): (mutant: string, check: Pick<CheckOfClauses, "clauses">) => readonly string[] {
  const broken = Map.groupBy(
    clausesOverSets(subject).flatMap(({ id, set }) => {
      const mutantOf = table[id];
      if (mutantOf === undefined) return [];
      return elementsIn(set).map((element) => ({ id, element, mutant: mutantOf(element, set) }));
    }),
    ({ mutant }) => mutant,
  );
  return (mutant, { clauses }) =>
    (broken.get(mutant) ?? []).filter(({ id }) => clauses.includes(id)).map(({ element }) => element);
}

/** True if a mutant breaks a clause for one element alone. */
const breaksAlone = ({ breaks = [] }: Catchable, id: ClauseId, element: string): boolean => {
  const broken = breaks.filter(({ clause }) => clause === id);
  return (
    broken.length === 1 &&
    broken.every((one) => element === (one.case?.split(".").at(-1) ?? "") || element === one.case)
  );
};

/** Tests that a mutant breaks each clause with a set for each element alone, and that a check of the clause catches it. */
export function testElementMutants(
  subject: Subject,
  {
    checks,
    mutants,
    table = {},
    elementsIn = inDocument,
  }: {
    readonly checks: readonly CheckOfClauses[];
    readonly mutants: Readonly<Record<string, Catchable>>;
    /** For mutants that don't declare the clauses that they break. */
    readonly table?: ElementMutants;
    readonly elementsIn?: ElementsIn;
  },
): void {
  test.for(clausesOverSets(subject))("a mutant breaks $id for each of the $set alone", ({ id, set }) => {
    const ofClause = checks.filter(({ clauses }) => clauses.includes(id));
    const caught = [...new Set(ofClause.flatMap((check) => mutantsCaughtBy(check, mutants)))];
    const elements = elementsIn(set);
    expect(elements).not.toEqual([]);
    const hasMutant = (element: string) =>
      caught.some((mutant) => {
        const made = mutants[mutant];
        return made?.breaks ? breaksAlone(made, id, element) : mutant === table[id]?.(element, set);
      });
    expect(elements.filter((element) => !hasMutant(element))).toEqual([]);
  });

  test("the table of mutants names only clauses with a set", () => {
    const quantified = new Set<string>(clausesOverSets(subject).map(({ id }) => id));
    expect(Object.keys(table).filter((id) => !quantified.has(id))).toEqual([]);
  });
}

/** The elements of quantified clauses that no check of the clause covered in a run, one line per clause. */
export const missedElements = (
  subject: Subject,
  checks: readonly CheckOfClauses[],
  outcomes: ReadonlyMap<string, Outcome>,
): readonly string[] =>
  clausesOverSets(subject).flatMap(({ id, set }) => {
    const seen = checks
      .filter(({ clauses }) => clauses.includes(id))
      .flatMap((check) => outcomes.get(check.id)?.coverage ?? [])
      .filter((one) => one.set === set);
    const covered = new Set(seen.flatMap((one) => one.covered));
    const all = [elementSets[set].elements, ...seen.map((one) => one.missed)].flat();
    const uncovered = [...new Set(all)].filter((element) => !covered.has(element));
    return covered.size === 0 || uncovered.length > 0 ? [`${id}: ${uncovered.join(", ") || "all"}`] : [];
  });
