import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { EventKind } from "../../../core/contract/event-kinds.ts";
import { type Check, check } from "../../check.ts";
import { FAILURE_REASON } from "../../support/courier/courier.ts";
import { cancelDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { LATER_ATTEMPT_CLAUSES, SECOND_ATTEMPT_CLAUSE } from "../../support/webhooks/attempt-clauses.ts";
import { expectAttempts } from "../../support/webhooks/attempt-sequence.ts";
import {
  sendCreationEvent,
  sendToNewEndpoint,
  waitForKinds,
} from "../../support/webhooks/creation-events.ts";
import {
  COURIER_KINDS,
  createChangeAndCancel,
  LATER_KINDS,
  OPTIONAL_COURIER_KINDS,
  waitForEvent,
} from "../../support/webhooks/delivery-events.ts";
import { alwaysFailing, FAILURE, SUCCESS } from "../../support/webhooks/responses.ts";
import {
  ALL_ARRIVED_S,
  expectInTime,
  expectSecondAttempts,
  MAX_ATTEMPTS,
  secondsUntilLastRetryAfterTimeouts,
} from "../../support/webhooks/retry-gaps.ts";
import { trackOf } from "../../support/webhooks/retry-timeline.ts";
import { RETRY_DELAYS_S, secondsUntilRetry } from "../../support/webhooks/retry-times.ts";

const [ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S] = RETRY_DELAYS_S;
/** Seconds after the creation by which attempts 1 and 2 have arrived, even if both attempts timed out. */
const TWO_ATTEMPTS_S = secondsUntilLastRetryAfterTimeouts([ATTEMPT_2_DELAY_S]);

const otherEvents = check({
  id: "retries.other-events-go-on",
  title:
    "after an endpoint accepts later events, also of the same delivery, its failed events are still retried at the specified times",
  clauses: [SECOND_ATTEMPT_CLAUSE, clause["RETRY-11"], clause["RETRY-12"]],
  needs: ["receiver", "clock"],
  virtualSeconds:
    2 * TWO_ATTEMPTS_S + secondsUntilLastRetryAfterTimeouts([ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S]),
  async run(context) {
    const { advanceClock, api, attributeTo } = context;
    // Comes before the subscription, because finding an accepted payment type creates orders.
    await context.paymentType();
    const event_types = ["delivery.created", "delivery.updated"];
    const subscription = await context.subscribe({ event_types, responder: alwaysFailing });
    const failing = await (await sendCreationEvent(context)).waitForDelivery(subscription);
    const recovering = await (await sendCreationEvent(context)).waitForDelivery(subscription);
    context.timeline(() => [
      trackOf("an event that always fails", failing, 4),
      trackOf("an event that is accepted at attempt 3", recovering, 3),
    ]);
    attributeTo(SECOND_ATTEMPT_CLAUSE);
    await advanceClock(TWO_ATTEMPTS_S);
    await failing.waitForAttempt(2);
    await recovering.waitForAttempt(2);
    const late = await (await sendCreationEvent(context)).waitForDelivery(subscription);
    await advanceClock(TWO_ATTEMPTS_S);
    await expectInTime(late, 2, {
      meanwhile: "before its first attempt two other events of its endpoint had failed twice",
    });
    attributeTo(clause["RETRY-11"]);
    subscription.inbox.respondWith((attempt) =>
      failing.includes(attempt) || recovering.includes(attempt) ? FAILURE : SUCCESS,
    );
    const { deliveryId: id } = failing;
    (await api.updateDelivery(id, { notes: "Arka kapı" })).expectSuccess();
    await waitForEvent(subscription.inbox, "delivery.updated", { id });
    await (await sendCreationEvent(context)).waitForDelivery(subscription);
    subscription.inbox.respondWith((attempt) => (failing.includes(attempt) ? FAILURE : SUCCESS));
    await advanceClock(secondsUntilLastRetryAfterTimeouts([ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S]));
    const meanwhile =
      "after attempt 2 its endpoint had accepted an event of another delivery and delivery.updated";
    await expectInTime(failing, 3, { meanwhile });
    await expectInTime(recovering, 3, { meanwhile });
    attributeTo(clause["RETRY-12"]);
    await expectInTime(failing, 4, {
      meanwhile:
        "at about the time of attempt 3 its endpoint accepted another event that had failed there before",
    });
  },
});

const rotation = check({
  id: "retries.rotation-goes-on",
  title: "rotating an endpoint's secret doesn't change the schedule of its failed events",
  clauses: [...LATER_ATTEMPT_CLAUSES, clause["RETRY-23"], clause["LIMIT-31"]],
  needs: ["receiver", "clock"],
  virtualSeconds: TWO_ATTEMPTS_S + ALL_ARRIVED_S,
  async run(context) {
    const { advanceClock, api, attributeTo } = context;
    const sequence = await sendToNewEndpoint(context, alwaysFailing);
    context.timeline(() => [trackOf("an event that always fails", sequence, MAX_ATTEMPTS)]);
    const { id, inbox, waitForSentinelEvent } = sequence.subscription;
    attributeTo(clause["RETRY-11"]);
    await advanceClock(TWO_ATTEMPTS_S);
    await sequence.waitForAttempt(2);
    (await api.call("rotateWebhookSecret", { path: { id } })).expectSuccess();
    await advanceClock(ALL_ARRIVED_S);
    for (const [index, attemptClause] of LATER_ATTEMPT_CLAUSES.entries()) {
      attributeTo(attemptClause);
      await expectInTime(sequence, index + 3, {
        meanwhile: "after attempt 2 the secret of its endpoint had been rotated",
      });
    }
    attributeTo(clause["RETRY-23"]);
    inbox.respondWith(() => SUCCESS);
    await waitForSentinelEvent();
    attributeTo(clause["LIMIT-31"]);
    const description = "an event whose endpoint got a new secret after attempt 2";
    expectAttempts(sequence.attempts, MAX_ATTEMPTS, description);
  },
});

/** What happens between the first and the second attempt. */
const INTERRUPTIONS = ["its endpoint's secret was rotated", "its delivery was cancelled"] as const;

const secondAttemptGoesOn = check({
  id: "retries.second-attempt-goes-on",
  title:
    "an event of any type that failed is sent again after 5 seconds although its endpoint's secret was rotated, or its delivery was cancelled",
  clauses: [SECOND_ATTEMPT_CLAUSE],
  needs: ["receiver", "clock"],
  // Short enough for the default of --max-wait.
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S),
  async run(context) {
    const { advanceClock, api } = context;
    const [rotated, ended] = [
      await sendToNewEndpoint(context, alwaysFailing),
      await sendToNewEndpoint(context, alwaysFailing),
    ];
    const sequences = { [INTERRUPTIONS[0]]: rotated, [INTERRUPTIONS[1]]: ended };
    context.timeline(() =>
      Object.entries(sequences).map(([name, sequence]) => trackOf(`an event, then ${name}`, sequence, 2)),
    );
    const { id } = rotated.subscription;
    (await api.call("rotateWebhookSecret", { path: { id } })).expectSuccess();
    const others = await context.subscribe({ event_types: LATER_KINDS, responder: alwaysFailing });
    const changed = await createChangeAndCancel(context);
    const ofOthers = await waitForKinds(context, others, changed, LATER_KINDS);
    await cancelDelivery(api, ended.deliveryId);
    await advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    for (const [name, sequence] of Object.entries(sequences))
      await expectInTime(sequence, 2, { meanwhile: `after attempt 1 ${name}` });
    await expectSecondAttempts(Object.values(ofOthers));
  },
});

const courierEvents = check({
  id: "retries.courier-events",
  title: "the events of courier actions are sent again 5 seconds after they failed",
  clauses: [SECOND_ATTEMPT_CLAUSE],
  needs: ["receiver", "courier", "clock"],
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S),
  async run(context) {
    const subscription = await context.subscribe({ event_types: COURIER_KINDS, responder: alwaysFailing });
    const delivery = await createDelivery(context);
    await context.performCourierActionsUpTo(delivery.id, "delivered");
    const sequences = await waitForKinds(context, subscription, delivery, COURIER_KINDS);
    await context.advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    await expectSecondAttempts(Object.values(sequences));
  },
});

const offersAndReturns = check({
  id: "retries.offers-failures-and-returns",
  title: "the events of an offer, a failed delivery and a return are sent again 5 seconds after they failed",
  clauses: [SECOND_ATTEMPT_CLAUSE],
  needs: ["receiver", "courier", "clock"],
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S),
  async run(context) {
    const { performCourierAction: act, performCourierActionsUpTo } = context;
    const subscription = await context.subscribe({
      event_types: ["delivery.assigned", ...OPTIONAL_COURIER_KINDS],
      responder: alwaysFailing,
    });
    const [offered, failed, returned] = [
      await createDelivery(context),
      await createDelivery(context),
      await createDelivery(context),
    ];
    const isOffered = await act(offered.id, "offered");
    await performCourierActionsUpTo(failed.id, "arrived");
    const isFailed = await act(failed.id, "failed", { reason: FAILURE_REASON });
    await performCourierActionsUpTo(returned.id, "arrived");
    const isReturned = (await act(returned.id, "returning")) && (await act(returned.id, "returned"));
    const reported: readonly (readonly [Schemas["Delivery"], readonly EventKind[]])[] = [
      [offered, isOffered ? ["delivery.offered"] : []],
      [failed, isFailed ? ["delivery.assigned", "delivery.failed"] : ["delivery.assigned"]],
      [returned, isReturned ? ["delivery.returning", "delivery.returned"] : []],
    ];
    const sequences = [];
    for (const [delivery, kinds] of reported)
      sequences.push(Object.values(await waitForKinds(context, subscription, delivery, kinds)));
    await context.advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    for (const ofDelivery of sequences) await expectSecondAttempts(ofDelivery);
  },
});

export const retriesPendingChecks: readonly Check[] = [
  otherEvents,
  rotation,
  secondAttemptGoesOn,
  courierEvents,
  offersAndReturns,
];
