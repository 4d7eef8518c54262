import type { SignatureDictionary } from "../../../suites/core/mutation/signatures.ts";
import { diagnosesOf } from "../../report/diagnosis/diagnosis.ts";

/** How often a fault that the dictionary doesn't hold is told by others of its kind. */
export interface Accuracy {
  /** Mutants that were run on all checks, and on which some fail. */
  readonly asked: number;
  /** Of these those that are named before all others where the dictionary holds them. */
  readonly known: number;
  /** Of these those with one of their kind among the faults that are named for them. */
  readonly right: number;
  /** Of these those for which none is named, as nothing fits. */
  readonly silent: number;
  /** Of these those that are the only one of their kind: no other can tell of them. */
  readonly onlyOnes: number;
}

/**
 * Takes each mutant that was run on all checks out of the dictionary in turn, and asks what a server that fails as it does
 * looks like. Two mutants are of a kind where a check names both.
 * @param namesOf the checks that name a mutant
 */
export function accuracyOf(
  dictionary: SignatureDictionary,
  namesOf: (mutant: string) => readonly string[],
): Accuracy {
  let [asked, known, right, silent, onlyOnes] = [0, 0, 0, 0, 0];
  const kinds = Map.groupBy(
    Object.keys(dictionary.mutants).flatMap((id) => namesOf(id).map((check) => ({ id, check }))),
    ({ check }) => check,
  );
  for (const [id, { upTo, failed, words = {} }] of Object.entries(dictionary.mutants)) {
    if (upTo === 0 || failed.length === 0) continue;
    const { [id]: _, ...mutants } = dictionary.mutants;
    const ended = dictionary.checks.slice(0, upTo).map((check, place) => {
      const status = failed.includes(place) ? "failed" : "passed";
      return { id: check, status, ...(words[place] !== undefined && { message: words[place] }) } as const;
    });
    const named = diagnosesOf(ended, { ...dictionary, mutants }, {}, []);
    const own = new Set(namesOf(id));
    asked += 1;
    if (diagnosesOf(ended, dictionary, {}, [])[0]?.mutant === id) known += 1;
    if ([...own].every((check) => kinds.get(check)?.length === 1)) onlyOnes += 1;
    if (named.length === 0) silent += 1;
    if (named.some(({ mutant }) => namesOf(mutant).some((check) => own.has(check)))) right += 1;
  }
  return { asked, known, right, silent, onlyOnes };
}
