import { fileURLToPath } from "node:url";
import type { Reporter } from "vitest/node";
import { monotonicNow } from "../../../suites/core/clock.ts";
import { inUnits } from "../../../suites/core/durations.ts";
import { LONGEST_MUTANT_RUN_MS } from "../../../suites/core/mutation/mutation-run.ts";
import {
  readSignatures,
  SIGNATURES_FILE,
  type SignatureDictionary,
  signaturesFile,
  unseenOf,
  withNamed,
  withSignature,
  withWords,
} from "../../../suites/core/mutation/signatures.ts";
import { mutationMatrices } from "../../../suites/mutation-matrices.ts";
import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { writeWhole } from "../../whole-file.ts";
import { accuracyOf } from "./accuracy.ts";
import { inBreadth, type Slice, slicedBy } from "./slices.ts";
import { loadVitest } from "./vitest.ts";

/** Runs wait a good deal: for what a server doesn't send, and for the limits of its minutes. */
const AT_ONCE = 3;

const whole = mutationMatrices.filter(({ wholeRuns }) => wholeRuns === true);

const faultOf = (id: string): string =>
  mutationMatrices.flatMap(({ mutants }) => mutants[id]?.fault ?? [])[0] ?? "";

/** The dictionary with every mutant in it, those that were never run on all checks by what names them, and no other. */
function completed(dictionary: SignatureDictionary): SignatureDictionary {
  const all = whole.flatMap(({ checks, mutants }) =>
    Object.entries(mutants).map(([id, { fault }]) => {
      const naming = checks.filter((check) => check.mutants.includes(id)).map((check) => check.id);
      return { id, fault, naming };
    }),
  );
  const there = new Set(all.map(({ id }) => id));
  const kept = Object.entries(dictionary.mutants).filter(([id]) => there.has(id));
  return all
    .filter(({ id, fault }) => {
      const known = dictionary.mutants[id];
      return known === undefined || known.upTo === 0 || known.fault !== fault;
    })
    .reduce((known, one) => withNamed(known, one.id, one), {
      ...dictionary,
      mutants: Object.fromEntries(kept),
    });
}

const write = (dictionary: SignatureDictionary): void =>
  writeWhole(fileURLToPath(SIGNATURES_FILE), signaturesFile(dictionary));

/** Keeps in the dictionary what the failures of mutants say. @param said by mutant, and by check */
export function keepWords(said: ReadonlyMap<string, Readonly<Record<string, string>>>): void {
  const known = completed(readSignatures());
  write([...said].reduce((dictionary, [id, words]) => withWords(dictionary, id, words), known));
}

/** By mutant the checks of its matrix of which it isn't known how they end on it: where there are any. */
function unseen(ids: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const dictionary = readSignatures();
  const asked = ids.flatMap((id) =>
    whole
      .filter(({ mutants }) => id in mutants)
      .map(({ checks }) => {
        const all = checks.map((check) => check.id);
        return [id, unseenOf(dictionary, id, faultOf(id), all)] as const;
      }),
  );
  return Object.fromEntries(asked.filter(([, checks]) => checks.length > 0));
}

/**
 * Runs checks on each of these mutants as a person's run would, and keeps which of them fail in the dictionary: those that
 * it knows nothing of yet, so that a run that was ended goes on where it was, and new checks alone are run on what is known.
 * @param slice which part of the mutants, in the order in which it pays to learn of them
 * @returns 0
 */
export async function keepSignatures(ids: readonly string[], output: Output, slice?: Slice): Promise<number> {
  const start = monotonicNow();
  const ordered = inBreadth(whole.flatMap(({ checks }) => checks)).filter((id) => ids.includes(id));
  const asked = unseen(slice ? slicedBy(ordered, slice) : ordered);
  const only = Object.keys(asked);
  let dictionary = completed(readSignatures());
  let done = 0;
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const { mutantStatuses: statuses, mutantWords: words = {} } = test.meta();
      if (statuses === undefined || !only.includes(test.name)) return;
      dictionary = withSignature(dictionary, test.name, { fault: faultOf(test.name), statuses, words });
      write(dictionary);
      done += 1;
      const failed = dictionary.mutants[test.name]?.failed.length ?? 0;
      output.result(`${done} of ${only.length}  ${test.name}  (${failed} checks fail)`);
    },
  };
  write(dictionary);
  if (only.length > 0) {
    const { startVitest } = await loadVitest();
    const vitest = await startVitest("test", [], {
      root: packageFolder,
      config: false,
      include: mutationMatrices
        .filter(({ mutants }) => only.some((id) => id in mutants))
        .map(({ files }) => files),
      watch: false,
      pool: "threads",
      testTimeout: LONGEST_MUTANT_RUN_MS,
      passWithNoTests: true,
      maxWorkers: 1,
      maxConcurrency: AT_ONCE,
      provide: { mutants: { only, full: true, signatures: asked } },
      reporters: [reporter],
    });
    await vitest.close();
  }
  const all = Object.values(dictionary.mutants);
  const measured = all.filter(({ upTo }) => upTo > 0).length;
  output.result(
    `${done} of ${only.length} that were not known were measured in ${inUnits((monotonicNow() - start) / 1000)}; ${measured} of ${all.length} are`,
  );
  const accuracy = accuracyOf(dictionary, (id) =>
    mutationMatrices.flatMap(({ checks }) =>
      checks.filter(({ mutants }) => mutants.includes(id)).map((check) => check.id),
    ),
  );
  output.result(
    `as it is: of ${accuracy.asked}, ${accuracy.known} are named first; left out in turn: of ${accuracy.asked}, ${accuracy.right} have one of their kind among the faults that are named, ${accuracy.silent} have none named, ${accuracy.asked - accuracy.right - accuracy.silent} others alone; ${accuracy.onlyOnes} are the only one of their kind`,
  );
  return 0;
}
