import { clause } from "../../../openapi/generated/clauses.ts";
import type { SetName } from "../../core/contract/element-sets.ts";
import type { ClientCheck } from "../check.ts";
import type { ScenarioName } from "../session/scenarios/scenarios.ts";
import { callsWithFaults, expectRetry } from "../support/retries.ts";

/** Scenarios with transient failures of all calls except orders. */
const TRANSIENT_FAILURE_SCENARIOS: readonly ScenarioName[] = [
  "token-unavailable",
  "token-reset",
  "token-rate-limit",
  "store-unavailable",
  "quote-server-error",
  "quote-reset",
  "quote-rate-limit",
  "change-unavailable",
  "change-lost-response",
  "change-rate-limit",
  "cancel-server-error",
  "cancel-lost-response",
  "cancel-rate-limit",
  "interrupted-page",
  "page-unavailable",
  "page-rate-limit",
];

/**
 * The name of the set of calls that the scenarios let fail in this way.
 * @param status the status of the failed call's response; undefined for a broken connection
 */
const setOf = (status: number | undefined): SetName =>
  status === undefined || status < 500 ? "calls-except-registration" : "calls-of-a-client";

/** Checks of all calls except orders. The retry rules apply to every call. */
export const retriesExceptOrdersChecks: readonly ClientCheck[] = [
  {
    id: "retries.other-calls",
    title:
      "any call except orders (token, store registration, quote, change, cancellation, list page) is repeated after a network error, 429 or 5xx",
    clauses: [clause["CLIENT-18"], clause["CLIENT-19"], clause["CLIENT-21"]],
    scenarios: TRANSIENT_FAILURE_SCENARIOS,
    judge(evidence, { each, recordCoverage }) {
      const tasks = evidence.tasksInOr(
        "the client made no call: make it request a token",
        TRANSIENT_FAILURE_SCENARIOS,
      );
      each(callsWithFaults(tasks), (task) => {
        recordCoverage(setOf(task.tries[0]?.completion?.response?.status), [task.kind]);
        expectRetry(evidence, task);
      });
      return tasks.map(({ scenario, tries }) => `${scenario?.name}: ${tries.length} attempts`);
    },
  },
];
