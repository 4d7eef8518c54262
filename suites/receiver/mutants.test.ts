import { testMatrix } from "../core/mutation-gate.ts";
import { receiverChecks } from "./checks/index.ts";
import { receiverMutants } from "./mutants/index.ts";
import { tryReceiverMutant } from "./mutants/run-mutant.ts";

testMatrix({ checks: receiverChecks, mutants: receiverMutants, attempt: tryReceiverMutant });
