import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { CheckId, RunEvent } from "../../suites/engine/events.ts";
import type { Report } from "../report/model.ts";

/** An outcome without its evidence, which only report.json contains. */
const outcomeData = ({ status, message, duration_ms, requests, blocked_by, operation }: Outcome) => ({
  status,
  message,
  operation,
  blocked_by,
  duration_ms,
  requests,
});

/**
 * An event as --json-lines prints it. If a check has several events, its last event counts, because a repeated check may
 * pass.
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

/** The last line of --json-lines, with the verdict. */
export const endData = ({ verdict, exit_code, levels, run, target }: Report): object => ({
  type: "end",
  verdict,
  exit_code,
  target,
  run,
  levels,
});
