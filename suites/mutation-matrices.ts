import { clientChecks } from "./client/checks/index.ts";
import { clientMutants } from "./client/mutants/index.ts";
import type { Catchable } from "./core/mutation/catching.ts";
import { receiverChecks } from "./receiver/checks/index.ts";
import { receiverMutants } from "./receiver/mutants/index.ts";
import { checks } from "./server/checks/index.ts";
import { mutants } from "./server/mutants/index.ts";

/** A matrix of checks and mutants for `npm run mutants`. */
interface MutationMatrix {
  /** The test files; paths are relative to the package. */
  readonly files: string;
  readonly checks: readonly {
    readonly id: string;
    readonly clauses: readonly string[];
  }[];
  readonly mutants: Readonly<Record<string, Catchable & { readonly fault: string }>>;
}

export const mutationMatrices: readonly MutationMatrix[] = [
  { files: "suites/server/mutants-*.test.ts", checks, mutants },
  { files: "suites/receiver/mutants.test.ts", checks: receiverChecks, mutants: receiverMutants },
  { files: "suites/client/mutants.test.ts", checks: clientChecks, mutants: clientMutants },
];
