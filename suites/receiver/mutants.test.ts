import { testMutationGate } from "../core/mutation/mutation-gate.ts";
import { testScope } from "../core/mutation/scope.ts";
import { receiverChecks } from "./checks/index.ts";
import { elementsBrokenBy } from "./mutants/element-receivers.ts";
import { receiverMutants } from "./mutants/index.ts";
import { runReceiverMutant } from "./mutants/run-mutant.ts";

testMutationGate({
  checks: receiverChecks,
  mutants: receiverMutants,
  elementsBrokenBy,
  runMutant: (mutant, checks) =>
    runReceiverMutant(mutant, checks, receiverChecks, { confirms: !testScope().quick }),
});
