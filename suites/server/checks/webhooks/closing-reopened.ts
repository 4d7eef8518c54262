import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import {
  type Attempt,
  deliveryOf,
  isOfKind,
  kindOf,
  webhookId,
} from "../../session/webhook-receiver/attempt.ts";
import { cancelDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { sendCreationEvent, subscribeToCreations } from "../../support/webhooks/creation-events.ts";
import { waitForEvent } from "../../support/webhooks/delivery-events.ts";
import { GONE, SUCCESS } from "../../support/webhooks/responses.ts";
import { isClosedSoon } from "../../support/webhooks/subscriptions.ts";
import { expectSigned } from "../../support/webhooks/webhook-signatures.ts";

/** The event types of the second registration. The first registration had only delivery.created. */
const REOPENED_KINDS = ["delivery.cancelled", "delivery.queued"] as const;

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
    event_types: REOPENED_KINDS,
    responder: () => SUCCESS,
    inbox: closed.inbox,
  });
  return { subscription, arrivals: () => closed.inbox.attempts.slice(countBefore) };
}

/**
 * Creates a delivery and cancels it. Resolves to it once the reopened endpoint has received the events of the
 * creation and the cancellation, and a test event.
 */
async function sendBothEvents(
  context: ReceiverContext,
  { inbox, waitForSentinelEvent }: Subscription,
): Promise<Schemas["Delivery"]> {
  const delivery = await createDelivery(context);
  await waitForEvent(inbox, "delivery.queued", delivery);
  await cancelDelivery(context.api, delivery.id);
  await waitForEvent(inbox, "delivery.cancelled", delivery);
  await waitForSentinelEvent();
  return delivery;
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
    const { id } = await sendBothEvents(context, subscription);
    const isRegistered = (attempt: Attempt) => REOPENED_KINDS.some((kind) => isOfKind(kind)(attempt));
    // Events from before the second registration may still be sent (OPEN-195).
    const [first] = arrivals().filter((attempt) => deliveryOf(attempt)?.id === id && !isRegistered(attempt));
    if (first) {
      subscription.inbox.markAsEvidence(first);
      const subject = "the type of an event at the reopened endpoint";
      const mismatch = { subject, relation: "to be one of", expected: REOPENED_KINDS } as const;
      throw new CheckFailure({ ...mismatch, actual: kindOf(first) });
    }
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
  clauses: [clause["SIGN-13"]],
  needs: ["receiver"],
  async run(context) {
    const { subscription, arrivals } = await reopen(context);
    await sendBothEvents(context, subscription);
    expectSigned(arrivals(), subscription.secret, "the secret of the new registration");
    // A rotation must change the reopened endpoint's secret too.
    const path = { id: subscription.id };
    const rotated = (await context.api.call("rotateWebhookSecret", { path })).expectSuccess().body(200);
    // Late copies of earlier events may still be signed with the previous secret.
    const earlierIds = new Set(arrivals().map(webhookId));
    await sendBothEvents(context, subscription);
    const laterAttempts = arrivals().filter((attempt) => !earlierIds.has(webhookId(attempt)));
    expectSigned(laterAttempts, rotated.secret, "the secret after a rotation");
  },
});

export const closingReopenedChecks: readonly Check[] = [kinds, secret];
