import type { Break } from "./breaks.ts";

/** What a mutant declares about the checks that catch it. */
export interface Catchable {
  /** The clauses that the mutant breaks: all clauses that checks report for it, and no others. */
  readonly breaks?: readonly Break[];
  /** The ids of the checks that catch the mutant. By default all checks of the clauses that it breaks. */
  readonly caughtBy?: readonly string[] | undefined;
}

interface CheckOfClauses {
  readonly id: string;
  readonly clauses: readonly string[];
}

const catches = ({ id, clauses }: CheckOfClauses, { breaks = [], caughtBy }: Catchable): boolean =>
  caughtBy?.includes(id) ?? breaks.some(({ clause }) => clauses.includes(clause));

/** The checks that have to catch a mutant. */
export const checksThatCatch = <Check extends CheckOfClauses>(
  mutant: Catchable,
  checks: readonly Check[],
): readonly Check[] => checks.filter((check) => catches(check, mutant));

/** The ids of the mutants that a check has to catch. */
export const mutantsCaughtBy = (
  check: CheckOfClauses,
  mutants: Readonly<Record<string, Catchable>>,
): readonly string[] => Object.entries(mutants).flatMap(([id, mutant]) => (catches(check, mutant) ? id : []));

/**
 * The mutant with this id.
 * @throws Error for an unknown id
 */
export function mutantNamed<Mutant>(id: string, mutants: Readonly<Record<string, Mutant>>): Mutant {
  const mutant = mutants[id];
  if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
  return mutant;
}
