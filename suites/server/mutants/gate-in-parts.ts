import { createHash } from "node:crypto";
import { testMutationGate } from "../../core/mutation/mutation-gate.ts";
import { type AnyCheck, isExperiment } from "../check.ts";
import { runsLast } from "../check-order.ts";
import { checks } from "../checks/index.ts";
import { elementsBrokenBy } from "./element-mutants.ts";
import { mutants } from "./index.ts";
import { runMutant } from "./run-mutant.ts";
import { failedClausesOf, MOST_FAILED_CLAUSES } from "./told-clauses.ts";
import { placeOf } from "./told-places.ts";

const isShowing = (check: AnyCheck): boolean => isExperiment(check) && check.shows !== undefined;

/** So many files share the mutants, so that as many threads try them. */
const MUTANT_FILES = 4;

/** Which of the files tries a mutant: by a hash of its name, so that each has as many. */
const fileOf = (id: string): number =>
  1 + (createHash("sha256").update(id).digest().readUInt32BE(0) % MUTANT_FILES);

/** Registers the tests of one of the files, counted from 1. */
export const testMutantsOfFile = (file: number): void =>
  testMutationGate({
    checks,
    mutants: Object.fromEntries(Object.entries(mutants).filter(([id]) => fileOf(id) === file)),
    runMutant,
    runWhole: (mutant, ids) =>
      runMutant(
        mutant,
        // With those that others are blocked by: a check that has nothing to stand on isn't one that fails.
        checks.filter((check) => ids.includes(check.id) || isShowing(check)),
        { jobs: 8, eachAlone: false },
      ),
    elementsBrokenBy,
    placeOf,
    mostFailedClauses: MOST_FAILED_CLAUSES,
    failedClausesOf,
    concurrent: true,
    isBusy: (check) => isExperiment(check) && runsLast(check),
  });
