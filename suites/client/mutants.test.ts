import { testMatrix } from "../core/mutation-gate.ts";
import { clientChecks } from "./checks/index.ts";
import { clientMutants } from "./mutants/index.ts";
import { tryClientMutant } from "./mutants/run-mutant.ts";

testMatrix({ checks: clientChecks, mutants: clientMutants, attempt: tryClientMutant, concurrent: true });
