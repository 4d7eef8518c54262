import type { Measured, Measurements } from "./measured.ts";

/** What differs from the file. */
export interface Difference {
  readonly line: string;
  /** Whether the suite sees less than it did, or blames who is right; all else is only told. */
  readonly isWorse: boolean;
}

const statusOf = (end: string | undefined): string => end?.split(" ")[0] ?? "not run";

/** Subjects of whose figures each run has its own. */
const isFigures = (name: string): boolean => name === "embedded-run";

/** Whether the file's end of a check is one to keep: a mutant stays caught, and of all others nothing new goes wrong. */
function isWorse(name: string, key: string, before: string | undefined, now: string | undefined): boolean {
  if (name.startsWith("null-server/")) return key === "passed" || key === "errored";
  if (isFigures(name)) return key === "verdict";
  if (key === "verdict") return true;
  const isMutant = !name.startsWith("variant") && name !== "independent-server";
  return isMutant ? statusOf(before) === "failed" && statusOf(now) !== "failed" : now !== undefined;
}

const differencesOf = (name: string, before: Measured, now: Measured): readonly Difference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((key) => before[key] !== now[key])
    .map((key) => ({
      line: `${name}  ${key}: was ${before[key] ?? "not there"}, is ${now[key] ?? "not there"}`,
      isWorse: isWorse(name, key, before[key], now[key]),
    }));

/**
 * Holds what was measured against the file. Of a subject that wasn't chosen nothing is said; one that is in the file and
 * no longer in the suite has to be looked at.
 */
export function compare(
  before: Measurements,
  now: Measurements,
  { chosen, gone }: { readonly chosen: readonly string[]; readonly gone: readonly string[] },
): readonly Difference[] {
  return [
    ...gone.map((name) => ({ line: `${name}  is no longer there`, isWorse: true })),
    ...chosen.flatMap((name): readonly Difference[] => {
      const [was, is] = [before[name], now[name]];
      if (!is) return [{ line: `${name}  could not be measured`, isWorse: true }];
      if (!was) return [{ line: `${name}  is new: ${JSON.stringify(is)}`, isWorse: false }];
      return differencesOf(name, was, is);
    }),
  ];
}
