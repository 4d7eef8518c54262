import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { CheckId, RunEvent } from "../../suites/engine/events.ts";
import type { Report } from "../report/model.ts";

/** The part of an outcome for one line. report.json also contains its evidence. */
const outcomeData = ({ status, message, duration_ms, requests, blocked_by, operation }: Outcome) => ({
  status,
  message,
  operation,
  blocked_by,
  duration_ms,
  requests,
});

/**
 * A result as --json-lines prints it. A failure is provisional until its check's result; a later result of a check
 * replaces an earlier one.
 */
export const eventData = ({
  type,
  check,
  outcome,
}: Extract<RunEvent<CheckId>, { readonly check: CheckId }>): object => ({
  type,
  check: check.id,
  clauses: check.clauses,
  ...outcomeData(outcome),
});

/** The last line: the verdict, as the report has it. */
export const endData = ({ verdict, exit_code, levels, run, target }: Report): object => ({
  type: "end",
  verdict,
  exit_code,
  target,
  run,
  levels,
});
