import { UsageError } from "../../usage-error.ts";

/**
 * Loads vitest, a development dependency that runs the mutants.
 * @throws UsageError if it isn't installed
 */
export const loadVitest = (): Promise<typeof import("vitest/node")> =>
  import("vitest/node").catch(() => {
    throw new UsageError("mutants are tried in a clone of the repository, with its development dependencies");
  });
