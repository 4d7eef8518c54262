import type { Subject } from "../suites/core/contract/claims.ts";
import type { Suite } from "../suites/core/grading/suite.ts";

/** Loads the suite for a kind of target. */
export const suiteOf: Readonly<Record<Subject, () => Promise<Suite>>> = {
  server: async () => (await import("../suites/server/suite.ts")).serverSuite(),
  receiver: async () => (await import("../suites/receiver/suite.ts")).receiverSuite(),
  client: async () => (await import("../suites/client/suite.ts")).clientSuite(),
};
