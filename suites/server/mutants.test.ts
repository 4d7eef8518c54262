import { testMutationGate } from "../core/mutation-gate.ts";
import { checks } from "./checks/index.ts";
import { mutants } from "./mutants/index.ts";
import { runMutant } from "./mutants/run-mutant.ts";

testMutationGate({
  checks,
  mutants,
  runMutant,
  runWhole: (mutant) => runMutant(mutant, checks, { jobs: 8, eachAlone: false }),
  concurrent: true,
});
