import { UsageError } from "../../usage-error.ts";

/** vitest, which runs the mutation gate: a development dependency. @throws UsageError where it isn't installed */
export const loadVitest = (): Promise<typeof import("vitest/node")> =>
  import("vitest/node").catch(() => {
    throw new UsageError("mutants are tried in a clone of the repository, with its development dependencies");
  });
