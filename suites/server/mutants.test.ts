import { testMutationGate } from "../core/mutation/mutation-gate.ts";
import { type AnyCheck, isExperiment } from "./check.ts";
import { checks } from "./checks/index.ts";
import { elementsBrokenBy } from "./mutants/element-mutants.ts";
import { mutants } from "./mutants/index.ts";
import { runMutant } from "./mutants/run-mutant.ts";
import { failedClausesOf, MOST_FAILED_CLAUSES } from "./mutants/told-clauses.ts";
import { placeOf } from "./mutants/told-places.ts";

const isShowing = (check: AnyCheck): boolean => isExperiment(check) && check.shows !== undefined;

testMutationGate({
  checks,
  mutants,
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
});
