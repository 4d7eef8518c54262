/** What the package offers to tests of one's own: the checks, and a target to run them on. */
export type { AnyCheck, Check, PassiveCheck } from "./suites/check.ts";
export {
  ConformanceError,
  defineTarget,
  type Target,
  type TargetDefinition,
  type TestContext,
} from "./suites/define-target.ts";
export { checks } from "./suites/index.ts";
export { type Clause, type Ledger, type OpenPoint, readLedger } from "./suites/ledger.ts";
export type { CheckStatus, Outcome } from "./suites/outcome.ts";
export { serverSuite } from "./suites/server-suite.ts";
export type { Suite, SuiteCheck } from "./suites/suite.ts";
