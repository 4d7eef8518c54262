import { clause } from "../../../../openapi/generated/clauses.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { type Attempt, webhookId } from "../../session/webhook-receiver/attempt.ts";
import { createDelivery } from "../../support/orders/deliveries.ts";
import { sendCreationEvent, subscribeToCreations } from "../../support/webhooks/creation-events.ts";
import { waitForEvent } from "../../support/webhooks/delivery-events.ts";
import { expectOnlySecondKinds, SECOND_KINDS } from "../../support/webhooks/registered-again.ts";
import { GONE, SUCCESS } from "../../support/webhooks/responses.ts";
import { isClosedSoon } from "../../support/webhooks/subscriptions.ts";
import { expectSigned } from "../../support/webhooks/webhook-signatures.ts";

type ReceiverContext = ContextFor<"receiver">;

/** An endpoint that a 410 closed, and that was then registered again for other event types. */
interface ReopenedEndpoint {
  readonly subscription: Subscription;
  /** Attempts since the second registration, in order of arrival. */
  arrivals(): readonly Attempt[];
}

async function expectClosed({ api }: ReceiverContext, { id }: Subscription, endpoint: string): Promise<void> {
  if (await isClosedSoon(api, id)) return;
  const subject = `the listed status of ${endpoint}`;
  throw new CheckFailure({ subject, relation: "not to be", expected: "ACTIVE", actual: "ACTIVE" });
}

async function reopen(context: ReceiverContext): Promise<ReopenedEndpoint> {
  const closed = await subscribeToCreations(context, () => GONE);
  await (await sendCreationEvent(context)).waitForDelivery(closed);
  await expectClosed(context, closed, "the endpoint that returned 410");
  const countBefore = closed.inbox.attempts.length;
  const subscription = await context.subscribe({
    event_types: SECOND_KINDS,
    responder: () => SUCCESS,
    inbox: closed.inbox,
  });
  return { subscription, arrivals: () => closed.inbox.attempts.slice(countBefore) };
}

const kinds = check({
  id: "closing.reopened-kinds",
  title:
    "an endpoint that was closed by 410 and registered again gets only the event types of its new registration, until a further 410 closes it",
  clauses: [clause["RETRY-30"], clause["RETRY-21"]],
  needs: ["receiver"],
  async run(context) {
    context.attributeTo(clause["RETRY-30"]);
    const { subscription, arrivals } = await reopen(context);
    await expectOnlySecondKinds(context, subscription);
    context.attributeTo(clause["RETRY-21"]);
    // A late copy of an earlier event would close the endpoint before the event that the check waits for.
    const earlierIds = new Set(arrivals().map(webhookId));
    subscription.inbox.respondWith((attempt) => (earlierIds.has(webhookId(attempt)) ? SUCCESS : GONE));
    await waitForEvent(subscription.inbox, "delivery.queued", await createDelivery(context));
    await expectClosed(context, subscription, "the reopened endpoint, which returned 410 again");
  },
});

const secret = check({
  id: "closing.reopened-secret",
  title:
    "the events of an endpoint that was closed by 410 and registered again are signed with the secret of its new registration",
  clauses: [clause["SIGN-13"], clause["RETRY-30"]],
  needs: ["receiver"],
  async run(context) {
    context.attributeTo(clause["RETRY-30"]);
    const { subscription, arrivals } = await reopen(context);
    await expectOnlySecondKinds(context, subscription);
    context.attributeTo(clause["SIGN-13"]);
    expectSigned(arrivals(), subscription.secret, "the secret of the new registration");
    // A rotation must change the reopened endpoint's secret too.
    const path = { id: subscription.id };
    const rotated = (await context.api.call("rotateWebhookSecret", { path })).expectSuccess().body(200);
    // Late copies of earlier events may still be signed with the previous secret.
    const earlierIds = new Set(arrivals().map(webhookId));
    await expectOnlySecondKinds(context, subscription);
    const laterAttempts = arrivals().filter((attempt) => !earlierIds.has(webhookId(attempt)));
    expectSigned(laterAttempts, rotated.secret, "the secret after a rotation");
  },
});

export const closingReopenedChecks: readonly Check[] = [kinds, secret];
