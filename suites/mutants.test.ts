import { checks } from "./index.ts";
import { testMatrix } from "./matrix.ts";
import { mutants } from "./mutants/index.ts";
import { tryMutant } from "./mutants/trial.ts";

testMatrix({ checks, mutants, attempt: tryMutant, concurrent: true });
