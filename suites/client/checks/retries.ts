import { clause } from "../../../openapi/generated/clauses.ts";
import { elementsOf, type SetName } from "../../core/contract/element-sets.ts";
import { attributeFailures } from "../../core/grading/failures/attributed-to.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { member, textMember } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import type { CheckContext, ClientCheck } from "../check.ts";
import type { Evidence } from "../session/evidence.ts";
import { type RecordedRequest, sameJson } from "../session/request.ts";
import { RETRY_AFTER_S } from "../session/scenarios/fault.ts";
import type { ScenarioName } from "../session/scenarios/scenarios.ts";
import { isSameOrder, keyOf, repetitionsIn, resultOf, type Task } from "../session/task.ts";
import { TASK_WORDS } from "../session/task-kind.ts";
import { HiddenWaits, smallestScale } from "../session/waits/backoff.ts";
import { callsWithFaults, expectRetry, failOnKey } from "../support/retries.ts";
import { backoffChecks, timeScaleNote } from "./backoff.ts";

/** Fails unless the client repeated each order of these scenarios. */
function expectRetriesIn(
  evidence: Evidence,
  { each, recordCoverage }: CheckContext,
  set: SetName,
  ...names: readonly ScenarioName[]
): readonly string[] {
  const orders = evidence.ordersIn(...names);
  each(callsWithFaults(orders), (order) => {
    recordCoverage(set, ["order"]);
    expectRetry(evidence, order);
  });
  return orders.map(({ scenario, tries }) => `${scenario?.name}: ${tries.length} attempts`);
}

/** An order's content without its number, times and notes. */
function contentOf({ json }: RecordedRequest): string {
  return JSON.stringify(
    ["store", "customer", "dropoff", "payment", "items"].map((name) => member(json, name)),
  );
}

function repetitions({ orders }: Evidence): ReturnType<typeof repetitionsIn> {
  const pairs = repetitionsIn(orders);
  if (pairs.length === 0) throw new CheckSkipped("no order was sent again after a failure");
  return pairs;
}

/** True if the client had received the response that the order was accepted. */
const isReplay = ({ completion }: RecordedRequest): boolean => completion?.response?.status === 200;

/**
 * The creation with which a client repeats an accepted order with another key. After a cancellation, a client may use the
 * order number again, because that is unspecified (OPEN-28).
 */
function repetitionWithOtherKey({ requests }: Evidence, taken: RecordedRequest): RecordedRequest | undefined {
  const toldAt = taken.completion?.at ?? Number.POSITIVE_INFINITY;
  const cancellation = `/v1/deliveries/${textMember(taken.completion?.response?.json, "id")}/cancel`;
  const later = requests.filter(
    ({ arrivedAt, startNumber }) => arrivedAt > toldAt && startNumber === taken.startNumber,
  );
  const cancelled = later.findIndex(({ path }) => path === cancellation);
  return later
    .slice(0, cancelled < 0 ? later.length : cancelled)
    .find(
      (one) => one.operation === "createDelivery" && isSameOrder(one, taken) && keyOf(one) !== keyOf(taken),
    );
}

/**
 * The shortest wait in nominal seconds that shows that a client honours Retry-After: it is longer than usual waits with
 * jitter.
 */
const SHORTEST_RETRY_AFTER_S = RETRY_AFTER_S - 2;

/** Repeated calls, except orders, whose first attempt got a 429. */
const tasksAfter429ExceptOrders = (evidence: Evidence): readonly Task[] =>
  evidence.tasks.filter((task) => {
    const [first] = task.tries;
    return task.kind !== "order" && first && resultOf(first) === "limited" && evidence.isDistinct(task);
  });

export const retriesChecks: readonly ClientCheck[] = [
  {
    id: "retries.network-error",
    title: "an order is sent again after a connection error, before or after the service received it",
    clauses: [clause["CLIENT-18"]],
    scenarios: ["reset", "lost-response"],
    judge: (evidence, context) =>
      expectRetriesIn(evidence, context, "calls-except-registration", "reset", "lost-response"),
  },
  {
    id: "retries.rate-limit",
    title: "an order is sent again after 429",
    clauses: [clause["CLIENT-19"]],
    scenarios: ["rate-limit"],
    judge: (evidence, context) =>
      expectRetriesIn(evidence, context, "calls-except-registration", "rate-limit"),
  },
  {
    id: "retries.retry-after",
    title: "after 429 the client waits at least as long as retry-after says",
    clauses: [clause["CLIENT-20"]],
    scenarios: [
      "rate-limit",
      "token-rate-limit",
      "quote-rate-limit",
      "change-rate-limit",
      "cancel-rate-limit",
      "page-rate-limit",
    ],
    judge(evidence, { each, recordCoverage }) {
      const { timeScale, turnaround } = evidence;
      const limits = evidence.ordersIn("rate-limit").concat(tasksAfter429ExceptOrders(evidence));
      const notes: string[] = [];
      each(callsWithFaults(limits), ({ kind, tries }) => {
        const [limited, next] = tries;
        if (!limited?.completion || !next) return;
        recordCoverage(
          "calls-except-registration",
          elementsOf("calls-except-registration").filter((call) => call === kind),
        );
        const waited = (next.arrivedAt - limited.completion.at) / 1000 / timeScale;
        // The tolerance: a client may count the time from its request, and timers may fire slightly early.
        evidence
          .expectThat(`the wait before a retry of ${TASK_WORDS[kind]}`, described(`${waited.toFixed(2)} s`), [
            limited,
            next,
          ])
          .satisfies(
            `at least the ${RETRY_AFTER_S} s of retry-after${timeScaleNote(evidence)}`,
            waited >= RETRY_AFTER_S * 0.95,
          );
        notes.push(`waited ${waited.toFixed(2)} s of ${RETRY_AFTER_S} s`);
      });
      if (notes.length === 0) throw new CheckSkipped("the order was not sent again after 429");
      if (turnaround.most > SHORTEST_RETRY_AFTER_S * timeScale * 1000) {
        throw new HiddenWaits(
          `even without a wait the client takes up to ${Math.ceil(turnaround.most)} ms from a response to its next request, so its wait can't be measured at this scale and load: use --time-scale ${smallestScale(turnaround)} or more`,
        );
      }
      return notes;
    },
  },
  {
    id: "retries.server-error",
    title: "an order is sent again after a 5xx with any body",
    clauses: [clause["CLIENT-21"]],
    scenarios: ["server-error", "bad-gateway", "unavailable"],
    judge(evidence, context) {
      const names = ["server-error", "bad-gateway", "unavailable"] as const;
      const met = evidence
        .ordersIn(...names)
        .map(({ tries }) => String(tries[0]?.completion?.response?.status));
      context.recordCoverage(
        "retried-statuses",
        elementsOf("retried-statuses").filter((status) => met.includes(status)),
      );
      return expectRetriesIn(evidence, context, "calls-of-a-client", ...names);
    },
  },
  ...backoffChecks,
  {
    id: "retries.same-key",
    title: "a creation is repeated with the same key",
    clauses: [clause["CLIENT-24"]],
    scenarios: ["server-error", "unavailable", "reset", "lost-response", "rate-limit"],
    judge(evidence) {
      const pairs = repetitions(evidence);
      const other = pairs.find(
        ([before, next]) => keyOf(next) === undefined || keyOf(next) !== keyOf(before),
      );
      if (other) failOnKey(evidence, "a retry", other);
      return [`${pairs.length} repetitions`];
    },
  },
  {
    id: "retries.answered-replay",
    title: "after a repeated creation gets 200, the order isn't sent again with another key",
    clauses: [clause["CLIENT-24"]],
    scenarios: ["lost-response"],
    judge(evidence) {
      const replays = evidence.creations.filter(isReplay);
      if (replays.length === 0) {
        throw new CheckSkipped("no repeated order got a 200 after its response was lost");
      }
      for (const replay of replays) {
        const anew = repetitionWithOtherKey(evidence, replay);
        if (anew) {
          evidence.fail(
            {
              subject: "creation of an order after it got a 200",
              relation: "not to arrive",
              actual: "a creation with another Idempotency-Key",
              note: "200 means that the order was accepted before: a success, like 201",
            },
            [replay, anew],
          );
        }
      }
      return [`${replays.length} orders got a 200, and none of them was sent with another key`];
    },
  },
  {
    id: "retries.same-body",
    title: "a creation is repeated with the same body",
    clauses: [clause["CLIENT-25"]],
    scenarios: ["server-error", "unavailable", "reset", "lost-response", "rate-limit"],
    judge(evidence) {
      const pairs = repetitions(evidence);
      for (const pair of pairs) {
        if (sameJson(...pair)) continue;
        const [expected, actual] = pair.map(({ json, body }) => json ?? body.toString());
        evidence.expectThat("the body of a retry", actual, pair).is(expected);
      }
      return [`${pairs.length} repetitions`];
    },
  },
  {
    id: "retries.one-delivery",
    title: "an order whose response was lost makes one delivery, no matter how often it is sent",
    clauses: [clause["CLIENT-26"]],
    scenarios: ["lost-response"],
    judge(evidence) {
      for (const order of evidence.ordersIn("lost-response")) {
        const [first] = order.tries;
        if (!first) continue;
        const alike = evidence.orders
          .filter((other) => other !== order && other.startNumber === order.startNumber)
          .flatMap(({ tries }) => tries.slice(0, 1))
          .filter((one) => contentOf(one) === contentOf(first));
        const isUnlike = alike.every(({ number }) => number > first.number);
        const again = order.tries.length > 1 || !isUnlike ? [] : alike;
        const made = [...order.tries, ...again].filter(({ servedStatus }) => servedStatus === 201);
        attributeFailures([clause["CLIENT-26"]], () => {
          const note = "the client sent the order again as another order";
          evidence
            .expectThat("the deliveries of an order whose response was lost", made.length, made, note)
            .isAtMost(1);
        });
        if (order.tries.length === 1)
          throw new CheckSkipped("the order whose response was lost was not sent again");
      }
      return [];
    },
  },
  {
    id: "retries.slow-response",
    title: "an order with a slow response isn't sent again as a new order",
    clauses: [clause["CLIENT-26"]],
    scenarios: ["slow-response"],
    judge(evidence) {
      for (const { tries } of evidence.ordersIn("slow-response")) {
        const [first] = tries;
        const other = tries.find((one) => first && keyOf(one) !== keyOf(first));
        if (first && other) failOnKey(evidence, "an order sent again before its response", [first, other]);
        const last = tries.at(-1);
        if (!last || resultOf(last) === "unknown")
          throw new CheckSkipped("the run ended before the slow response");
      }
      return [];
    },
  },
];
