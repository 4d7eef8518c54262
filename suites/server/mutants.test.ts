import { testMatrix } from "../core/mutation-gate.ts";
import { checks } from "./checks/index.ts";
import { mutants } from "./mutants/index.ts";
import { tryMutant } from "./mutants/run-mutant.ts";

testMatrix({ checks, mutants, attempt: tryMutant, concurrent: true });
