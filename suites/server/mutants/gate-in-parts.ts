import { createHash } from "node:crypto";
import { testMutationGate } from "../../core/mutation/mutation-gate.ts";
import { testScope } from "../../core/mutation/scope.ts";
import { isExperiment } from "../check.ts";
import { checks } from "../checks/index.ts";
import { runsLast } from "../schedule/check-order.ts";
import { mutants } from "./index.ts";
import type { Mutant } from "./mutant.ts";
import { runMutant } from "./run-mutant.ts";

/** The number of files over which the mutants are distributed, so that they run in parallel. */
const MUTANT_FILES = 4;

/** The file of a mutant, by a hash of its name. */
const fileOf = (id: string): number =>
  1 + (createHash("sha256").update(id).digest().readUInt32BE(0) % MUTANT_FILES);

/** Registers the tests of one file, counted from 1. */
export const testMutantsOfFile = (file: number): void =>
  testMutationGate({
    checks,
    mutants: Object.fromEntries(Object.entries(mutants).filter(([id]) => fileOf(id) === file)),
    // A quick run takes each failure as it is found; test:all repeats it, as a user's run does.
    runMutant: (mutant, tried) => runMutant(mutant, tried, { confirms: !testScope().quick }),
    breaksOf: ({ breaks }: Mutant) => breaks,
    concurrent: true,
    isBusy: (check) => isExperiment(check) && runsLast(check),
  });
