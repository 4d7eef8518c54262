import { clause } from "../../../openapi/generated/clauses.ts";
import { NotTestable } from "../../core/grading/failures/failure.ts";
import type { Evidence } from "../session/evidence.ts";
import type { ScenarioName } from "../session/scenarios/scenarios.ts";
import type { Task } from "../session/task.ts";
import { TASK_WORDS } from "../session/task-kind.ts";
import { judgeRenewal } from "../support/renewal.ts";
import { callsWithFaults, failOnRetry } from "../support/retries.ts";
import type { ClientCheck } from "./define.ts";

const EXPIRED: readonly ScenarioName[] = [
  "store-expired-token",
  "quote-expired-token",
  "change-expired-token",
  "cancel-expired-token",
  "page-expired-token",
];
const REFUSED: readonly ScenarioName[] = [
  "store-refused",
  "quote-refused",
  "change-refused",
  "cancel-refused",
];

const NONE =
  "link a store, request quotes, change and cancel orders, and read the list, in two starts or more";

/**
 * The tasks of these scenarios whose retries can be distinguished from other calls. @throws NotTestable if
 * there are no such tasks
 */
function metDistinctly(evidence: Evidence, none: string, names: readonly ScenarioName[]): readonly Task[] {
  const tasks = evidence.tasksInOr(none, names).filter((task) => evidence.isDistinct(task));
  if (tasks.length > 0) return tasks;
  throw new NotTestable(`${none}; send one call after another, or quote requests that differ`);
}

/**
 * Checks of calls except orders. A client must handle 401 and final refusals in the same way for every call.
 */
export const refusalsExceptOrdersChecks: readonly ClientCheck[] = [
  {
    id: "refusals.other-calls-unauthorised",
    title:
      "after a 401 the client gets one new token and repeats the call once, whether it is a store, quote, change, cancellation or page",
    clauses: [clause["CLIENT-27"]],
    scenarios: EXPIRED,
    mutants: [
      "renews-for-orders-only",
      "gives-up-stores-on-401",
      "gives-up-quotes-on-401",
      "gives-up-changes-on-401",
      "gives-up-cancellations-on-401",
      "gives-up-pages-on-401",
    ],
    judge(evidence, { each, cover }) {
      const tasks = metDistinctly(evidence, `no other call met an expired token: ${NONE}`, EXPIRED);
      each(callsWithFaults(tasks), (task) => {
        cover("calls-with-a-token", [task.kind]);
        judgeRenewal(evidence, task);
      });
      return tasks.map(({ scenario, tries }) => `${scenario?.name}: ${tries.length} tries`);
    },
  },
  {
    id: "refusals.other-calls-refused",
    title:
      "a store, quote, change or cancellation that was refused for its content isn't sent again unchanged",
    clauses: [clause["CLIENT-30"]],
    scenarios: REFUSED,
    mutants: [
      "retries-refused-stores",
      "retries-refused-quotes",
      "retries-refused-changes",
      "retries-refused-cancellations",
    ],
    judge(evidence, { each, cover }) {
      const tasks = metDistinctly(evidence, `no other call was refused: ${NONE}`, REFUSED);
      each(callsWithFaults(tasks), ({ kind, tries }) => {
        cover("calls-with-final-refusals", [kind]);
        const [refused, again] = tries;
        if (refused && again) failOnRetry(evidence, TASK_WORDS[kind], [refused, again]);
      });
      return tasks.map(({ scenario }) => `${scenario?.name}: not sent again`);
    },
  },
];
