import { clause } from "../../../openapi/generated/clauses.ts";
import { NotTestable } from "../../core/failure.ts";
import type { Evidence } from "../session/evidence.ts";
import { sameJson } from "../session/request.ts";
import type { ScenarioName } from "../session/scenarios.ts";
import type { Task } from "../session/task.ts";
import { TASK_WORDS } from "../session/task-kind.ts";
import { judgeRenewal } from "../support/renewal.ts";
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

const NONE = "link a store, ask for quotes, change and cancel orders, and catch up, in two starts or more";

/** Whether another task of the client's looks the same, so that a repetition can't be told from it. */
const hasALike = ({ tasks }: Evidence, { kind, tries: [first] }: Task): boolean =>
  tasks.some(
    ({ kind: other, tries: [one] }) =>
      other === kind && first && one && one !== first && sameJson(one, first),
  );

/** What is refused, with 401 or for good, is treated alike on every call. */
export const refusalsOfOtherCalls: readonly ClientCheck[] = [
  {
    id: "refusals.other-calls-unauthorised",
    title:
      "after a 401 the client gets one new token and sends its store, quote, change, cancellation or page once more",
    clauses: [clause["CLIENT-27"]],
    scenarios: EXPIRED,
    mutants: ["renews-for-orders-only"],
    judge(evidence) {
      const tasks = evidence.metOr(`no other call met an expired token: ${NONE}`, EXPIRED);
      for (const task of tasks) judgeRenewal(evidence, task);
      return tasks.map(({ scenario, tries }) => `${scenario?.name}: ${tries.length} tries`);
    },
  },
  {
    id: "refusals.other-calls-refused",
    title:
      "a store, quote, change or cancellation that was refused for what it is isn't sent again as it was",
    clauses: [clause["CLIENT-30"]],
    scenarios: REFUSED,
    mutants: [
      "retries-refused-stores",
      "retries-refused-quotes",
      "retries-refused-changes",
      "retries-refused-cancellations",
    ],
    judge(evidence) {
      const met = evidence.metOr(`no other call was refused: ${NONE}`, REFUSED);
      // A quote has no name: where two are alike, the second may be another order's.
      const tasks = met.filter((task) => task.kind !== "quote" || !hasALike(evidence, task));
      if (tasks.length === 0)
        throw new NotTestable("the quotes of the client are alike: ask for different ones");
      for (const { kind, tries } of tasks) {
        const [refused, again] = tries;
        if (refused && again) {
          evidence.fail(`${TASK_WORDS[kind]} was sent again after ${refused.fault}`, [refused, again]);
        }
      }
      return tasks.map(({ scenario }) => `${scenario?.name}: not sent again`);
    },
  },
];
