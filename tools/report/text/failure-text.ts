import * as core from "../../../suites/core/grading/failures/failure-text.ts";
import { commandOf, type ReportContext, type ReportedCheck } from "../model.ts";

/** A failed check's findings as plain text, with the command that runs it alone. */
export const failureText = (check: ReportedCheck, { clauses, ...context }: ReportContext): string =>
  [...core.failureText(check, clauses), `re-run: ${commandOf(context, check.id)}`].join("\n");
