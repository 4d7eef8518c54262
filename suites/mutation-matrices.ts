import { clientChecks } from "./client/checks/index.ts";
import { clientMutants } from "./client/mutants/index.ts";
import { receiverChecks } from "./receiver/checks/index.ts";
import { receiverMutants } from "./receiver/mutants/index.ts";
import { checks } from "./server/checks/index.ts";
import { mutants } from "./server/mutants/index.ts";

/** What `npm run mutants` knows of one matrix of checks and broken subjects. */
interface MutationMatrix {
  /** The tests that try it, from the package's folder. */
  readonly files: string;
  readonly checks: readonly {
    readonly id: string;
    readonly clauses: readonly string[];
    readonly mutants: readonly string[];
  }[];
  readonly mutants: Readonly<Record<string, { readonly fault: string }>>;
}

/** Every matrix. Mutants' ids are unique over all of them. */
export const mutationMatrices: readonly MutationMatrix[] = [
  { files: "suites/server/mutants-*.test.ts", checks, mutants },
  { files: "suites/receiver/mutants.test.ts", checks: receiverChecks, mutants: receiverMutants },
  { files: "suites/client/mutants.test.ts", checks: clientChecks, mutants: clientMutants },
];
