import * as core from "../../suites/core/grading/failure-text.ts";
import type { ReportContext, ReportedCheck } from "./model.ts";

/** What a failed check found, as plain text for outputs that have no other form, with the command that runs it alone. */
export const failureText = (check: ReportedCheck, { clauses, repeatCommand }: ReportContext): string =>
  [...core.failureText(check, clauses), `alone: ${repeatCommand} --only ${check.id}`].join("\n");
