import { clause } from "../../../../openapi/generated/clauses.ts";
import { type EventKind, TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import { MAX_ACTIVE } from "../../session/subscriptions/free-slots.ts";
import { deliveryOf, isOfKind, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import { createDelivery } from "../../support/orders/deliveries.ts";
import { expectAttempts, expectControlEventRetried } from "../../support/webhooks/attempt-sequence.ts";
import {
  sendCreationEvent,
  sendToNewEndpoint,
  subscribeToCreations,
} from "../../support/webhooks/creation-events.ts";
import { createChangeAndCancel, isAbout, waitForEvent } from "../../support/webhooks/delivery-events.ts";
import { alwaysFailing, FAILURE, GONE, respondInTurn, SUCCESS } from "../../support/webhooks/responses.ts";
import { RETRY_DELAYS_S, secondsUntilLastRetry } from "../../support/webhooks/retry-times.ts";
import {
  expectAllClosedByGone,
  expectClosedByGone,
  expectRefusedUnlisted,
  listSubscriptions,
  waitUntilListed,
} from "../../support/webhooks/subscriptions.ts";
import { closingFailuresChecks } from "./closing-failures.ts";
import { closingReopenedChecks } from "./closing-reopened.ts";

const [ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S] = RETRY_DELAYS_S;

/** Asserts that a 410 of another endpoint has closed none of these, which have returned only 200. */
async function expectStillActive(api: Api, ids: readonly string[]): Promise<void> {
  const listed = await listSubscriptions(api);
  const where =
    "of an endpoint that has returned only 200, after another endpoint of the integrator returned 410";
  for (const id of ids)
    expectThat({ field: "status", where }, listed.find((entry) => entry.id === id)?.status).is("ACTIVE");
}

const gone = check({
  id: "closing.gone",
  title:
    "an endpoint that returns 410 to any event of an integrator's requests is closed immediately: no later event is sent to it, whether or not its test and rotation are requested, and it isn't active",
  clauses: [clause["RETRY-19"], clause["RETRY-21"]],
  needs: ["receiver"],
  async run(context) {
    const { api } = context;
    const closed = await subscribeToCreations(context, () => GONE);
    const healthyEndpoint = await subscribeToCreations(context, () => SUCCESS);
    await (await sendCreationEvent(context)).waitForDelivery(closed);
    context.attributeTo(clause["RETRY-21"]);
    await expectClosedByGone(api, closed.id, "delivery.created");
    context.attributeTo(clause["RETRY-19"]);
    await expectStillActive(api, [healthyEndpoint.id]);
    context.attributeTo(clause["RETRY-21"]);
    // Whether a failed test event counts towards the failing days is unspecified (OPEN-170), but a 410 always closes.
    const tested = await subscribeToCreations(context, () => GONE);
    (await api.call("testWebhook", { path: { id: tested.id } })).expectSuccess();
    await tested.inbox.waitForFirst(isOfKind(TEST_KIND), { field: TEST_KIND, where: "" });
    await expectClosedByGone(api, tested.id, TEST_KIND);
    const [updated, cancelled] = ["delivery.updated", "delivery.cancelled"] as const;
    const ofOneKind = {
      [updated]: await context.subscribe({ event_types: [updated], responder: () => GONE }),
      [cancelled]: await context.subscribe({ event_types: [cancelled], responder: () => GONE }),
    };
    const delivery = await createChangeAndCancel(context);
    for (const kind of [updated, cancelled] as const)
      await waitForEvent(ofOneKind[kind].inbox, kind, delivery);
    await expectAllClosedByGone(api, [
      [updated, ofOneKind[updated]],
      [cancelled, ofOneKind[cancelled]],
    ]);
    context.attributeTo(clause["RETRY-19"]);
    // The responses are unspecified (OPEN-165). Only a new registration reopens an endpoint.
    const path = { id: closed.id };
    await api.sendInvalid("rotateWebhookSecret", "a closed subscription", { path });
    await api.sendInvalid("testWebhook", "a closed subscription", { path });
    const later = await sendCreationEvent(context);
    await later.waitForDelivery(healthyEndpoint);
    await healthyEndpoint.waitForSentinelEvent();
    for (const { attempts } of [later.attemptsTo(closed), later.attemptsTo(tested)])
      expectThat("attempts of a later event at a closed endpoint", attempts.map(kindOf)).isEmpty();
    expectThat(
      "test events at a closed endpoint",
      closed.inbox.attempts.filter(isOfKind(TEST_KIND)).map(kindOf),
    ).isEmpty();
  },
});

/** In order. Other checks return 410 to the events of offers, and of a delivery's end. */
const KINDS_BEFORE_THE_DOOR = [
  "delivery.queued",
  "delivery.assigned",
  "delivery.at_pickup",
  "delivery.picked_up",
  "delivery.en_route",
] as const;
const AT_THE_DOOR = "delivery.arrived";

const goneOnTheWay = check({
  id: "closing.gone-on-the-way",
  title:
    "an endpoint that returns 410 to the event of a search, an assignment or a courier's way to the door is closed, and gets no later event of the delivery",
  clauses: [clause["RETRY-38"]],
  needs: ["receiver", "courier"],
  async run(context) {
    const external_ref = newReference();
    // Earlier deliveries of the integrator may still change.
    const responder: Responder = (attempt) =>
      deliveryOf(attempt)?.external_ref === external_ref ? GONE : SUCCESS;
    const subscribeTo = async (kind: EventKind) =>
      [kind, await context.subscribe({ event_types: [kind, AT_THE_DOOR], responder })] as const;
    // Five endpoints may be active (LIMIT-14), so the last one follows once these are closed.
    const first = [];
    for (const kind of KINDS_BEFORE_THE_DOOR) first.push(await subscribeTo(kind));
    const delivery = await createDelivery(context, { external_ref });
    await context.performCourierActionsUpTo(delivery.id, "en_route");
    for (const [kind, { inbox }] of first) await waitForEvent(inbox, kind, delivery);
    await expectAllClosedByGone(context.api, first);
    const last = await subscribeTo(AT_THE_DOOR);
    if (!(await context.performCourierAction(delivery.id, "arrived")))
      throw new CheckSkipped("the control interface refused the courier action arrived");
    await waitForEvent(last[1].inbox, AT_THE_DOOR, delivery);
    await expectAllClosedByGone(context.api, [last]);
    for (const [kind, { inbox }] of first)
      expectThat(
        `${AT_THE_DOOR} events at an endpoint that had returned 410 to ${kind}`,
        inbox.attempts.filter(isAbout(delivery, AT_THE_DOOR)).map(kindOf),
      ).isEmpty();
  },
});

const goneEvent = check({
  id: "closing.gone-event",
  title: "an event that got 410 isn't sent again",
  clauses: [clause["RETRY-20"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]),
  async run(context) {
    const healthyEndpoint = await subscribeToCreations(context, () => SUCCESS);
    const control = await sendToNewEndpoint(context, alwaysFailing);
    const sequence = await sendToNewEndpoint(context, () => GONE);
    await context.advanceClock(secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]));
    await healthyEndpoint.waitForSentinelEvent();
    expectControlEventRetried(control);
    expectAttempts(sequence.attempts, 1, "an event that got 410");
  },
});

const goneLater = check({
  id: "closing.gone-later",
  title: "410 in response to any attempt closes the endpoint",
  clauses: [clause["RETRY-20"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]),
  async run(context) {
    const healthyEndpoint = await subscribeToCreations(context, () => SUCCESS);
    const sequence = await sendToNewEndpoint(context, respondInTurn(FAILURE, GONE));
    await context.advanceClock(secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]));
    await healthyEndpoint.waitForSentinelEvent();
    await sequence.waitForAttempt(2);
    expectAttempts(sequence.attempts, 2, "an event that got 410 at its second attempt");
    await expectClosedByGone(context.api, sequence.subscription.id, "delivery.created");
  },
});

const goneWithOthersPending = check({
  id: "closing.gone-with-others-pending",
  title: "after an endpoint returned 410, its other pending events aren't sent",
  clauses: [clause["RETRY-29"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]),
  async run(context) {
    const healthyEndpoint = await subscribeToCreations(context, () => SUCCESS);
    // The control endpoint never succeeds, because a faulty server may drop an endpoint's retries after a success.
    const control = await sendToNewEndpoint(context, alwaysFailing);
    const pending = await sendToNewEndpoint(context, alwaysFailing);
    const { inbox, id } = pending.subscription;
    inbox.respondWith(() => GONE);
    await (await sendCreationEvent(context)).waitForDelivery(pending.subscription);
    await expectClosedByGone(context.api, id, "delivery.created");
    await context.advanceClock(secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]));
    await control.waitForAttempt(2);
    await healthyEndpoint.waitForSentinelEvent();
    expectAttempts(
      pending.attempts,
      1,
      "an event that had failed at the endpoint before another event got 410",
    );
  },
});

const makesRoom = check({
  id: "closing.gone-makes-room",
  title:
    "an endpoint closed by 410 frees exactly one of the five slots, which no refused sixth endpoint takes, and the other endpoints stay active",
  clauses: [clause["HOOK-39"], clause["RETRY-19"], clause["HOOK-43"]],
  needs: ["receiver"],
  async run(context) {
    const closed = await subscribeToCreations(context, () => GONE);
    const others: string[] = [];
    for (let active = 2; active <= MAX_ACTIVE; active += 1)
      others.push((await subscribeToCreations(context, () => SUCCESS)).id);
    context.attributeTo(clause["HOOK-39"]);
    const refused = context.webhookUrl();
    (await context.registerWebhook({ url: refused })).expectError(409, "ABONELIK_SINIRI");
    // A refused endpoint that is stored takes the slot that the 410 frees.
    context.attributeTo(clause["HOOK-43"]);
    expectRefusedUnlisted(await waitUntilListed(context.api, { id: others.at(-1) ?? closed.id }), refused);
    context.attributeTo(clause["HOOK-39"]);
    await (await sendCreationEvent(context)).waitForDelivery(closed);
    await expectClosedByGone(context.api, closed.id, "delivery.created");
    context.attributeTo(clause["RETRY-19"]);
    await expectStillActive(context.api, others);
    context.attributeTo(clause["HOOK-39"]);
    (await context.registerWebhook()).body(201);
    const sixth = { "a new endpoint": context.webhookUrl(), "the closed endpoint again": closed.url };
    await context.each(casesFrom("sixth endpoints", sixth), async ([, url]) => {
      (await context.registerWebhook({ url })).expectError(409, "ABONELIK_SINIRI");
    });
    // The deletion of a closed subscription may be refused (OPEN-165), and makes no more room.
    await context.api.sendInvalid("deleteWebhook", "a closed subscription", { path: { id: closed.id } });
    (await context.registerWebhook()).expectError(409, "ABONELIK_SINIRI");
  },
});

export const closingChecks: readonly Check[] = [
  ...closingReopenedChecks,
  gone,
  goneOnTheWay,
  makesRoom,
  goneEvent,
  goneLater,
  goneWithOthersPending,
  ...closingFailuresChecks,
];
