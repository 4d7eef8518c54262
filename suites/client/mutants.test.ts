import { testMutationGate } from "../core/mutation/mutation-gate.ts";
import { clientChecks } from "./checks/index.ts";
import { elementsBrokenBy } from "./mutants/element-clients.ts";
import { clientMutants } from "./mutants/index.ts";
import { runClientMutant } from "./mutants/run-mutant.ts";

testMutationGate({
  checks: clientChecks,
  mutants: clientMutants,
  runMutant: runClientMutant,
  elementsBrokenBy,
  concurrent: true,
});
