import { UsageError } from "../../usage-error.ts";

/** A part of a list: which one, counted from 1, of how many. */
export interface Slice {
  readonly number: number;
  readonly of: number;
}

/** Reads `3/20`. @throws UsageError */
export function sliceOf(text: string): Slice {
  const [, number = 0, of = 0] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
  if (number < 1 || number > of)
    throw new UsageError(`--slice ${text}: give which of how many, such as 3/20`);
  return { number, of };
}

/** As many follow each other in each slice, give or take one: none is in two, and none is left out. */
export const slicedBy = <T>(all: readonly T[], { number, of }: Slice): readonly T[] =>
  all.slice(Math.floor(((number - 1) * all.length) / of), Math.floor((number * all.length) / of));

/**
 * The mutants in the order in which it pays to learn of them: one of each group of checks, then one of each check before a
 * second of any, so that whatever was come to by then speaks of all parts. It depends on nothing but the suite, so that
 * slices stay what they are.
 * @param checks in the suite's order, each with the mutants that it names
 */
export function inBreadth(
  checks: readonly { readonly id: string; readonly mutants: readonly string[] }[],
): readonly string[] {
  const groups = Map.groupBy(checks, ({ id }) => id.split(".")[0]);
  const firstOfGroups = [...groups.values()].flatMap(([first]) => first?.mutants[0] ?? []);
  const rounds = Math.max(0, ...checks.map(({ mutants }) => mutants.length));
  const all = Array.from({ length: rounds }, (_, round) =>
    checks.flatMap(({ mutants }) => mutants[round] ?? []),
  );
  return [...new Set([...firstOfGroups, ...all.flat()])];
}
