import { clause } from "../../../openapi/generated/clauses.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import type { ScenarioName } from "../session/scenarios/scenarios.ts";
import type { Task } from "../session/task.ts";
import { TASK_WORDS } from "../session/task-kind.ts";
import { judgeRenewal } from "../support/renewal.ts";
import { callsWithFaults, failOnRetry } from "../support/retries.ts";

const EXPIRED_TOKEN_SCENARIOS: readonly ScenarioName[] = [
  "store-expired-token",
  "quote-expired-token",
  "change-expired-token",
  "cancel-expired-token",
  "page-expired-token",
];
const REFUSAL_SCENARIOS: readonly ScenarioName[] = [
  "store-refused",
  "quote-refused",
  "change-refused",
  "cancel-refused",
];

const HOW_TO_MAKE_THE_CALLS =
  "make the client link a store, request quotes, change and cancel orders, and read the list, in at least two starts";

/**
 * The tasks in these scenarios (calls with their retries), except tasks whose retries look like other calls.
 * @throws CheckSkipped if there are no such tasks
 */
function distinctTasksIn(evidence: Evidence, none: string, names: readonly ScenarioName[]): readonly Task[] {
  const tasks = evidence.tasksInOr(none, names).filter((task) => evidence.isDistinct(task));
  if (tasks.length > 0) return tasks;
  throw new CheckSkipped(`${none}. Send the calls one after another, or send different quote requests`);
}

/**
 * Checks of calls except orders. A client must handle 401 and final refusals in the same way for every call.
 */
export const refusalsExceptOrdersChecks: readonly ClientCheck[] = [
  {
    id: "refusals.other-calls-unauthorised",
    title:
      "after a 401 to any call (store registration, quote, change, cancellation, list page) the client gets one new token and repeats the call once",
    clauses: [clause["CLIENT-27"]],
    scenarios: EXPIRED_TOKEN_SCENARIOS,
    judge(evidence, { each, recordCoverage }) {
      const tasks = distinctTasksIn(
        evidence,
        `no call except orders got an expired token: ${HOW_TO_MAKE_THE_CALLS}`,
        EXPIRED_TOKEN_SCENARIOS,
      );
      each(callsWithFaults(tasks), (task) => {
        recordCoverage("calls-with-a-token", [task.kind]);
        judgeRenewal(evidence, task);
      });
      return tasks.map(({ scenario, tries }) => `${scenario?.name}: ${tries.length} attempts`);
    },
  },
  {
    id: "refusals.other-calls-refused",
    title:
      "a store registration, quote request, change or cancellation that was refused for its content isn't sent again unchanged",
    clauses: [clause["CLIENT-30"]],
    scenarios: REFUSAL_SCENARIOS,
    judge(evidence, { each, recordCoverage }) {
      const tasks = distinctTasksIn(
        evidence,
        `no call except orders was refused: ${HOW_TO_MAKE_THE_CALLS}`,
        REFUSAL_SCENARIOS,
      );
      each(callsWithFaults(tasks), ({ kind, tries }) => {
        recordCoverage("calls-with-final-refusals", [kind]);
        const [refused, again] = tries;
        if (refused && again) failOnRetry(evidence, TASK_WORDS[kind], [refused, again]);
      });
      return tasks.map(({ scenario }) => `${scenario?.name}: not sent again`);
    },
  },
];
