/** What the package offers to tests of one's own: the checks, and a target to run them on. */

export { type Clause, type Ledger, type OpenPoint, readLedger } from "./suites/core/contract/ledger.ts";
export type { CheckStatus, Outcome } from "./suites/core/grading/outcome.ts";
export type { Suite, SuiteCheck } from "./suites/core/grading/suite.ts";
export type { AnyCheck, Check, PassiveCheck } from "./suites/server/check.ts";
export { checks } from "./suites/server/checks/index.ts";
export {
  ConformanceError,
  defineTarget,
  type Target,
  type TargetDefinition,
  type TestContext,
} from "./suites/server/define-target.ts";
export { serverSuite } from "./suites/server/suite.ts";
export { timeLimitMs } from "./suites/server/time-limit.ts";
