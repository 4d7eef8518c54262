import { testMatrix } from "../matrix.ts";
import { receiverChecks } from "./index.ts";
import { receiverMutants } from "./mutants/index.ts";
import { tryReceiverMutant } from "./mutants/trial.ts";

testMatrix({ checks: receiverChecks, mutants: receiverMutants, attempt: tryReceiverMutant });
