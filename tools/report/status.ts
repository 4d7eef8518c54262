import type { CheckStatus } from "../../suites/core/grading/outcome.ts";

/**
 * The status of a check in a report. `coming_failure` means that it failed but is newer than the version that is judged
 * as, so that it doesn't count.
 */
export type ReportedStatus = CheckStatus | "not_run" | "coming_failure";
