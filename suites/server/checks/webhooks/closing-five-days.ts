import { clause } from "../../../../openapi/generated/clauses.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { textOf } from "../../../core/json.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { withEndpointState } from "../../session/subscriptions/endpoint-state.ts";
import { MAX_ACTIVE } from "../../session/subscriptions/free-slots.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { isOfKind, kindOf } from "../../session/webhook-receiver/attempt.ts";
import { changeDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { sendCreationEvent, subscribeToCreations } from "../../support/webhooks/creation-events.ts";
import { isAbout } from "../../support/webhooks/delivery-events.ts";
import { alwaysFailing, SUCCESS } from "../../support/webhooks/responses.ts";
import { isClosedSoon, shownSubscription } from "../../support/webhooks/subscriptions.ts";
import { expectSigned } from "../../support/webhooks/webhook-signatures.ts";

const HOUR_S = 3600;

/** Longer than an event's whole schedule, so that each event ends before the next one. */
const EVENT_INTERVAL_S = 34 * HOUR_S;

/** How long an endpoint fails before the server closes it (specification, "Delivery, retry and closing"). */
const CLOSED_AFTER_S = 120 * HOUR_S;

/**
 * Asserts that a new subscription for a closed endpoint's URL has no failing_since. If the server reopens the
 * closed subscription instead, the value may remain (OPEN-195).
 */
async function expectNoFailures(
  api: Api,
  { id, created }: Subscription,
  closed: Subscription,
): Promise<void> {
  const shown = created.failing_since ?? (await shownSubscription(api, id))?.failing_since ?? null;
  if (shown === null || id === closed.id) return;
  throw new CheckFailure({
    subject: "failing_since of a new subscription",
    relation: "to be",
    expected: null,
    actual: shown,
    note: "no attempt was made for it yet: the value is that of the closed subscription with the same url",
  });
}

/** Changes an order, and waits for the first attempt to send its delivery.updated. */
async function changeAndWait(
  context: ContextFor<"receiver">,
  { inbox, state }: Subscription,
  endpoint: string,
): Promise<void> {
  const { id } = await createDelivery(context);
  await changeDelivery(context.api, id, { notes: "Zili çalmayın" });
  await withEndpointState({ state }, () =>
    inbox.waitForFirst(isAbout({ id }, "delivery.updated"), `delivery.updated of ${id}, to ${endpoint},`),
  );
}

const fiveDays = check({
  id: "closing.five-days",
  title:
    "an endpoint that fails for five days without a success is closed until it is registered again, with its new secret",
  clauses: [
    clause["RETRY-22"],
    clause["RETRY-23"],
    clause["RETRY-24"],
    clause["RETRY-25"],
    clause["HOOK-8"],
    clause["SIGN-14"],
  ],
  needs: ["receiver", "clock"],
  virtualSeconds: CLOSED_AFTER_S + EVENT_INTERVAL_S + 2 * HOUR_S,
  async run(context) {
    const { advanceClock, attributeTo, now } = context;
    const [openClause, recountClause] = [clause["RETRY-23"], clause["RETRY-24"]];
    attributeTo(openClause);
    const failed = await subscribeToCreations(context, alwaysFailing);
    const recovered = await subscribeToCreations(context, alwaysFailing);
    const failedOnce = await subscribeToCreations(context, alwaysFailing);
    // This endpoint gets no event for more than five days. A server may cancel old orders by itself (OPEN-94), but
    // changes none.
    const quiet = await context.subscribe({ event_types: ["delivery.updated"], responder: alwaysFailing });
    const start = now();
    const advanceTo = async (seconds: number) => {
      const remaining = Math.ceil(seconds - (now() - start) / 1000);
      // In a slow run, this time may already have passed.
      if (remaining > 0) await advanceClock(remaining);
    };
    const first = await sendCreationEvent(context);
    await first.attemptsTo(failed).advanceToFirst(context);
    await first.attemptsTo(failedOnce).advanceToFirst(context);
    // This endpoint has failed once. From now on it accepts all attempts.
    failedOnce.inbox.respondWith(() => SUCCESS);
    await advanceTo(EVENT_INTERVAL_S);
    await (await sendCreationEvent(context)).attemptsTo(failed).advanceToFirst(context);
    await advanceTo(2 * EVENT_INTERVAL_S);
    recovered.inbox.respondWith(() => SUCCESS);
    await (await sendCreationEvent(context)).attemptsTo(recovered).advanceToFirst(context);
    await advanceTo(3 * EVENT_INTERVAL_S);
    recovered.inbox.respondWith(alwaysFailing);
    // Up to the last of these times, half an hour before the five days end, the server must not close an
    // endpoint.
    for (const expected of [
      3 * EVENT_INTERVAL_S,
      CLOSED_AFTER_S - 1.5 * HOUR_S,
      CLOSED_AFTER_S - 0.5 * HOUR_S,
    ]) {
      await advanceTo(expected + 1);
      const event = await sendCreationEvent(context);
      attributeTo(openClause);
      const hours = `${(expected / HOUR_S).toFixed(1)} hours`;
      await event.attemptsTo(failed).advanceToFirst(context, `an endpoint that has failed for ${hours}`);
      attributeTo(recountClause);
      const sinceSuccess = `${((expected - 2 * EVENT_INTERVAL_S) / HOUR_S).toFixed(1)} hours`;
      await event
        .attemptsTo(recovered)
        .advanceToFirst(
          context,
          `an endpoint that first failed ${hours} ago and accepted an event ${sinceSuccess} ago`,
        );
    }
    // A server may count the five days from the last attempt of the first event (OPEN-76, OPEN-194).
    await advanceTo(CLOSED_AFTER_S + EVENT_INTERVAL_S);
    const description =
      "an endpoint that first failed less than five days ago and has accepted an event since";
    await (await sendCreationEvent(context)).attemptsTo(recovered).advanceToFirst(context, description);
    await advanceTo(CLOSED_AFTER_S + EVENT_INTERVAL_S + HOUR_S);
    // The responses are unspecified (OPEN-165). Only a new registration reopens an endpoint.
    const path = { id: failed.id };
    await context.api.sendInvalid("rotateWebhookSecret", "a closed subscription", { path });
    await context.api.sendInvalid("testWebhook", "a closed subscription", { path });
    const last = await sendCreationEvent(context);
    await last.attemptsTo(recovered).advanceToFirst(context, description);
    await last.attemptsTo(failedOnce).advanceToFirst(context);
    attributeTo(openClause);
    await changeAndWait(context, quiet, "an endpoint that was registered six and a half days ago");
    await changeAndWait(context, quiet, "an endpoint whose only failure is seconds old");
    await recovered.waitForSentinelEvent();
    attributeTo(clause["RETRY-22"]);
    const failingSince = (await shownSubscription(context.api, failed.id))?.failing_since ?? null;
    expectThat(
      "attempts at an endpoint that has failed for six and a half days, and was then rotated and tested",
      [...last.attemptsTo(failed).attempts, ...failed.inbox.attempts.filter(isOfKind(TEST_KIND))].map(kindOf),
      {
        note: `GET /v1/webhooks shows ${textOf(failingSince)} as its failing_since, and other endpoints of the integrator have accepted events`,
      },
    ).isEmpty();
    if (!(await isClosedSoon(context.api, failed.id)))
      throw new CheckFailure({
        subject: "the listed status of an endpoint that has failed for six and a half days",
        relation: "not to be",
        expected: "ACTIVE",
        actual: "ACTIVE",
      });
    attributeTo(clause["RETRY-22"]);
    // With the three others, five are active.
    for (const number of [4, 5]) {
      const { id } = (await context.registerWebhook()).body(201);
      if (number === MAX_ACTIVE) await context.api.call("deleteWebhook", { path: { id } });
    }
    attributeTo(clause["RETRY-25"]);
    const reopened = await subscribeToCreations(context, alwaysFailing, { inbox: failed.inbox });
    attributeTo(clause["HOOK-8"]);
    await expectNoFailures(context.api, reopened, failed);
    attributeTo(clause["RETRY-25"]);
    const firstReopened = (await sendCreationEvent(context)).attemptsTo(reopened);
    await firstReopened.advanceToFirst(context);
    attributeTo(clause["SIGN-14"]);
    expectSigned(firstReopened.attempts, reopened.secret, "the secret of the new registration");
    attributeTo(clause["RETRY-25"]);
    reopened.inbox.respondWith(() => SUCCESS);
    await (await sendCreationEvent(context))
      .attemptsTo(reopened)
      .advanceToFirst(context, "an endpoint that was registered again and has failed once since");
  },
});

export const fiveDaysChecks: readonly Check[] = [fiveDays];
