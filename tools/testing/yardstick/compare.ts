import type { Measured, Measurements } from "./measured.ts";

/** A difference from the file. */
export interface Difference {
  readonly line: string;
  /**
   * True if the suite finds fewer faults than before, or accuses a conforming target. Other differences are
   * informational.
   */
  readonly isWorse: boolean;
}

const statusOf = (end: string | undefined): string => end?.split(" ")[0] ?? "not run";

/** True for subjects whose figures vary from run to run. */
const isFigures = (name: string): boolean => name === "embedded-run";

/** True if a mutant is no longer caught, or if a conforming target has a new failure. */
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
 * Compares measurements with the file. Excluded subjects are ignored. A subject that no longer exists is
 * reported.
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
