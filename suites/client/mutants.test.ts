import { testMutationGate } from "../core/mutation-gate.ts";
import { clientChecks } from "./checks/index.ts";
import { clientMutants } from "./mutants/index.ts";
import { runClientMutant } from "./mutants/run-mutant.ts";

testMutationGate({
  checks: clientChecks,
  mutants: clientMutants,
  runMutant: runClientMutant,
  concurrent: true,
});
