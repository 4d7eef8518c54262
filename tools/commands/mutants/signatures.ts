import type { Reporter } from "vitest/node";
import type {} from "../../../suites/core/mutation-run.ts";
import {
  isKnown,
  readSignatures,
  SIGNATURES_FILE,
  type SignatureDictionary,
  signaturesFile,
  withNamed,
  withSignature,
} from "../../../suites/core/signing/signatures.ts";
import { mutationMatrices } from "../../../suites/mutation-matrices.ts";
import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { writeWhole } from "../../whole-file.ts";
import { accuracyOf } from "./accuracy.ts";

/** Runs wait a good deal: for what a server doesn't send, and for the limits of its minutes. */
const AT_ONCE = 3;

const faultOf = (id: string): string =>
  mutationMatrices.flatMap(({ mutants }) => mutants[id]?.fault ?? [])[0] ?? "";

/** The dictionary with every mutant in it, those that were never run on all checks by what names them, and no other. */
function completed(dictionary: SignatureDictionary): SignatureDictionary {
  const whole = mutationMatrices.filter(({ wholeRuns }) => wholeRuns === true);
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

/** Those of the mutants of which it isn't known yet how each check of their matrix ends on them. */
function unknownOf(ids: readonly string[]): readonly string[] {
  const dictionary = readSignatures();
  return ids.filter((id) =>
    mutationMatrices.some(
      ({ wholeRuns, checks, mutants }) =>
        wholeRuns === true &&
        id in mutants &&
        !isKnown(
          dictionary,
          id,
          faultOf(id),
          checks.map((check) => check.id),
        ),
    ),
  );
}

/**
 * Runs all checks on each of these mutants as a person's run would, and keeps which of them fail in the dictionary; those
 * that stand in it already are left out, so that a run that was ended goes on where it was.
 * @returns 0
 */
export async function keepSignatures(ids: readonly string[], output: Output): Promise<number> {
  const only = unknownOf(ids);
  let dictionary = completed(readSignatures());
  let done = 0;
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const { mutantStatuses: statuses } = test.meta();
      if (statuses === undefined || !only.includes(test.name)) return;
      dictionary = withSignature(dictionary, test.name, { fault: faultOf(test.name), statuses });
      writeWhole(decodeURIComponent(SIGNATURES_FILE.pathname), signaturesFile(dictionary));
      done += 1;
      const failed = Object.values(statuses).filter((status) => status === "failed").length;
      output.result(`${done} of ${only.length}  ${test.name}  (${failed} checks fail)`);
    },
  };
  writeWhole(decodeURIComponent(SIGNATURES_FILE.pathname), signaturesFile(dictionary));
  if (only.length > 0) {
    const { startVitest } = await import("vitest/node");
    const vitest = await startVitest("test", [], {
      root: packageFolder,
      config: false,
      include: mutationMatrices
        .filter(({ mutants }) => only.some((id) => id in mutants))
        .map(({ file }) => file),
      watch: false,
      pool: "threads",
      maxConcurrency: AT_ONCE,
      provide: { mutants: { only, full: true, signatures: true } },
      reporters: [reporter],
    });
    await vitest.close();
  }
  const all = Object.values(dictionary.mutants);
  const measured = all.filter(({ upTo }) => upTo > 0).length;
  output.result(
    `${done} of ${only.length} that were not known were measured; ${measured} of ${all.length} are`,
  );
  const { asked, right, silent } = accuracyOf(dictionary, (id) =>
    mutationMatrices.flatMap(({ checks }) =>
      checks.filter(({ mutants }) => mutants.includes(id)).map((check) => check.id),
    ),
  );
  output.result(
    `left out in turn: ${right} of ${asked} have one of their kind among the faults that are named, ${silent} none at all`,
  );
  return 0;
}
