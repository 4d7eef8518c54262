import { isDeepStrictEqual } from "node:util";
import { clause } from "../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../core/contract/element-sets.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { member, textMember } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import type { ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import { type RecordedRequest, sameJson } from "../session/request.ts";
import type { ScenarioName } from "../session/scenarios/scenarios.ts";
import { keyOf, type Task } from "../session/task.ts";
import { judgeRenewal } from "../support/renewal.ts";
import { callsWithFaults, failOnKey, failOnRetry } from "../support/retries.ts";

/** Whether the client repeated a scenario's order unchanged, and the order. */
function retryIn(evidence: Evidence, name: ScenarioName): { again: boolean; order: Task } {
  const [order] = evidence.ordersIn(name);
  const [first, ...rest] = order?.tries ?? [];
  if (!order || !first)
    throw new CheckSkipped(`the scenario ${name} was never reached: no order was sent in it`);
  return { again: rest.some((next) => sameJson(first, next)), order };
}

/** A scenario for each error code of a refused token after which a new token may help. */
const REFUSED_TOKEN_SCENARIOS: readonly ScenarioName[] = [
  "expired-token",
  "missing-token",
  "malformed-token",
  "ended-session",
];

/** A scenario for each refusal of an order, except refusals because of the address. */
const REFUSED_ORDER_SCENARIOS: readonly ScenarioName[] = [
  "inactive-store",
  "forbidden",
  "invalid-order",
  "unknown-store",
  "taken-reference",
  "gone",
  "unsupported-type",
];

/** Pairs of scenarios with the same error code and different messages. */
const SCENARIO_PAIRS: readonly (readonly [ScenarioName, ScenarioName])[] = [
  ["server-error", "other-words"],
  ["out-of-area", "out-of-area-in-other-words"],
];

/** True if the client linked the store (404) or changed the Content-Type (415), so its request isn't a retry. */
function isCorrected({ requests }: Evidence, refused: RecordedRequest, again: RecordedRequest): boolean {
  switch (refused.completion?.response?.status) {
    case 404:
      return requests
        .slice(refused.number, again.number)
        .some(({ operation }) => operation === "registerStore");
    case 415:
      return refused.headers["content-type"] !== again.headers["content-type"];
    default:
      return false;
  }
}

export const refusalsChecks: readonly ClientCheck[] = [
  {
    id: "refusals.unauthorised",
    title: "after a 401 with any code the client gets one new token and sends the order once more",
    clauses: [clause["CLIENT-27"]],
    scenarios: REFUSED_TOKEN_SCENARIOS,
    judge(evidence, { each, recordCoverage }) {
      const orders = evidence.ordersIn(...REFUSED_TOKEN_SCENARIOS);
      each(callsWithFaults(orders), (order) => {
        const met = textMember(order.tries[0]?.completion?.response?.json, "error", "code");
        recordCoverage("calls-with-a-token", ["order"]);
        recordCoverage(
          "codes-of-a-refused-token",
          elementsOf("codes-of-a-refused-token").filter((code) => code === met),
        );
        judgeRenewal(evidence, order);
      });
      return orders.map(({ scenario, tries }) => `${scenario?.name}: ${tries.length} attempts`);
    },
  },
  {
    id: "refusals.key-after-401",
    title: "an order that got a 401 is sent again with the same key",
    clauses: [clause["CLIENT-28"]],
    scenarios: REFUSED_TOKEN_SCENARIOS,
    judge(evidence) {
      for (const { tries } of evidence.ordersIn(...REFUSED_TOKEN_SCENARIOS)) {
        const [refused, next] = tries;
        if (!refused || !next) throw new CheckSkipped("the order was not sent again after the 401");
        if (keyOf(refused) !== keyOf(next)) failOnKey(evidence, "a retry", [refused, next]);
      }
      return [];
    },
  },
  {
    id: "refusals.second-401",
    title: "after a second 401 the client neither sends the order a third time nor requests another token",
    clauses: [clause["CLIENT-29"]],
    scenarios: ["closed-credential"],
    judge(evidence) {
      for (const { tries } of evidence.ordersIn("closed-credential")) {
        const [, second, third] = tries;
        if (!second) throw new CheckSkipped("the order was not sent again after its first 401");
        if (third)
          evidence.fail(
            { subject: "retry of an order after a second 401", relation: "not to arrive" },
            tries,
          );
      }
      return [];
    },
  },
  {
    id: "refusals.other-4xx",
    title: "an order that was refused for its content isn't sent again unchanged",
    clauses: [clause["CLIENT-30"]],
    scenarios: REFUSED_ORDER_SCENARIOS,
    judge(evidence, { each, recordCoverage }) {
      const orders = evidence.ordersIn(...REFUSED_ORDER_SCENARIOS);
      recordCoverage("calls-with-final-refusals", ["order"]);
      each(callsWithFaults(orders), ({ tries }) => {
        const [refused, ...rest] = tries;
        recordCoverage(
          "final-error-statuses",
          elementsOf("final-error-statuses").filter(
            (status) => Number(status) === refused?.completion?.response?.status,
          ),
        );
        const again =
          refused && rest.find((next) => sameJson(refused, next) && !isCorrected(evidence, refused, next));
        if (refused && again) failOnRetry(evidence, "an order", [refused, again]);
      });
      return orders.map(({ scenario }) => `${scenario?.name}: not sent again`);
    },
  },
  {
    id: "refusals.out-of-area",
    title: "an order outside the service area isn't sent again to the same address",
    clauses: [clause["CLIENT-17"]],
    scenarios: ["out-of-area", "out-of-area-in-other-words"],
    judge(evidence) {
      for (const { tries } of evidence.ordersIn("out-of-area", "out-of-area-in-other-words")) {
        const [refused, ...rest] = tries;
        const address = member(refused?.json, "dropoff");
        const again = rest.find((next) => isDeepStrictEqual(member(next.json, "dropoff"), address));
        if (refused && again) failOnRetry(evidence, "an order to the same address", [refused, again]);
      }
      return [];
    },
  },
  {
    id: "refusals.by-code",
    title: "the same code is handled the same way with any message",
    clauses: [clause["CLIENT-15"]],
    scenarios: SCENARIO_PAIRS.flat(),
    judge(evidence) {
      return SCENARIO_PAIRS.map(([usual, other]) => {
        const [one, two] = [retryIn(evidence, usual), retryIn(evidence, other)];
        if (one.again !== two.again) {
          const did = ({ again }: { again: boolean }) => (again ? "a retry" : "no retry");
          evidence.fail(
            {
              subject: "the reaction to the same error code with another message",
              relation: "to be",
              expected: described(`${did(one)}, as after the first message`),
              actual: described(did(two)),
            },
            [...one.order.tries.slice(0, 1), ...two.order.tries.slice(0, 1)],
          );
        }
        return `${usual} and ${other}: both ${one.again ? "sent again" : "not sent again"}`;
      });
    },
  },
];
