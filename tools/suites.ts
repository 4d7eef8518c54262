import type { Subject } from "../suites/core/contract/claims.ts";
import type { Suite } from "../suites/core/grading/suite.ts";

/** The suite for each kind of target, loaded when it is needed. */
export const suiteOf: Readonly<Record<Subject, () => Promise<Suite>>> = {
  server: async () => (await import("../suites/server/suite.ts")).serverSuite(),
  receiver: async () => (await import("../suites/receiver/suite.ts")).receiverSuite(),
  client: async () => (await import("../suites/client/suite.ts")).clientSuite(),
};
