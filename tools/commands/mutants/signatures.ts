import type { Reporter } from "vitest/node";
import type {} from "../../../suites/core/mutation-run.ts";
import {
  isKnown,
  readSignatures,
  SIGNATURES_FILE,
  signaturesFile,
  withSignature,
} from "../../../suites/core/signatures.ts";
import { mutationMatrices } from "../../../suites/mutation-matrices.ts";
import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { writeWhole } from "../../whole-file.ts";

/** Runs wait a good deal: for what a server doesn't send, and for the limits of its minutes. */
const AT_ONCE = 3;

const faultOf = (id: string): string =>
  mutationMatrices.flatMap(({ mutants }) => mutants[id]?.fault ?? [])[0] ?? "";

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
  let dictionary = readSignatures();
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
  const known = Object.keys(dictionary.mutants).length;
  output.result(`${done} of ${only.length} that were not known were measured; ${known} are known`);
  return 0;
}
