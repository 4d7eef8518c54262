import type { CheckStatus } from "../../suites/core/grading/outcome.ts";

/**
 * The status of a check in a report. `coming_failure` is a failure that doesn't count, because the check is newer than the
 * version of --as-of.
 */
export type ReportedStatus = CheckStatus | "not_run" | "coming_failure";
