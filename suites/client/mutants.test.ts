import { testMatrix } from "../matrix.ts";
import { clientChecks } from "./index.ts";
import { clientMutants } from "./mutants/index.ts";
import { tryClientMutant } from "./mutants/trial.ts";

testMatrix({ checks: clientChecks, mutants: clientMutants, attempt: tryClientMutant, concurrent: true });
