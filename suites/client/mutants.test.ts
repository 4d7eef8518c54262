import { testMutationGate } from "../core/mutation/mutation-gate.ts";
import { testScope } from "../core/mutation/scope.ts";
import { clientChecks } from "./checks/index.ts";
import { elementsBrokenBy } from "./mutants/element-clients.ts";
import { clientMutants } from "./mutants/index.ts";
import { runClientMutant } from "./mutants/run-mutant.ts";

testMutationGate({
  checks: clientChecks,
  mutants: clientMutants,
  runMutant: (mutant, checks) => runClientMutant(mutant, checks, { confirms: !testScope().quick }),
  elementsBrokenBy,
  concurrent: true,
});
