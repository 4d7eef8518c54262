import type { CheckStatus } from "../../suites/core/grading/outcome.ts";

/**
 * The status of a check in a report. `coming_failure` is a failure of a check that is newer than the
 * requested version. It doesn't count.
 */
export type ReportedStatus = CheckStatus | "not_run" | "coming_failure";
