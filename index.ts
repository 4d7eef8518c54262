/** The package's interface for tests of a service: the checks, and ways to run them. */

export {
  type Clause,
  type ClauseList,
  type OpenPoint,
  readClauseList,
} from "./suites/core/contract/clause-list.ts";
export type { Certification } from "./suites/core/grading/certification.ts";
export type { CheckStatus, Outcome } from "./suites/core/grading/outcome.ts";
export type { Suite, SuiteCheck } from "./suites/core/grading/suite.ts";
export type { RunEvent, RunSummary } from "./suites/engine/events.ts";
export { type CertifyOptions, certify } from "./suites/server/certify.ts";
export type { AnyCheck, Check, PassiveCheck } from "./suites/server/check.ts";
export { checks } from "./suites/server/checks/index.ts";
export {
  ConformanceError,
  defineTarget,
  type Target,
  type TestContext,
  type TestedTarget,
} from "./suites/server/define-target.ts";
export { type RunOptions, run } from "./suites/server/run.ts";
export { timeLimitMs } from "./suites/server/schedule/time-limit.ts";
export type { TargetDefinition } from "./suites/server/session/sample-data/settings.ts";
export { serverSuite } from "./suites/server/suite.ts";
