import type { CheckStatus } from "../../suites/core/grading/outcome.ts";

/**
 * How a check stands in a report. `coming_failure`: it failed, and is newer than the version that is judged as, so that it
 * doesn't count.
 */
export type ReportedStatus = CheckStatus | "not_run" | "coming_failure";
