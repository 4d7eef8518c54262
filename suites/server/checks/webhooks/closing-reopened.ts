import { clause } from "../../../../openapi/generated/clauses.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import type { ContextFor } from "../../check.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { type Attempt, isOfKind, kindOf, webhookId } from "../../session/webhook-receiver/attempt.ts";
import { cancelDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { isAbout } from "../../support/webhooks/delivery-events.ts";
import {
  GONE,
  SUCCESS,
  sendCreationEvent,
  subscribeToCreations,
} from "../../support/webhooks/retry-schedule.ts";
import { isClosedSoon } from "../../support/webhooks/subscriptions.ts";
import { expectSigned } from "../../support/webhooks/webhook-signatures.ts";
import { type Check, check } from "../define.ts";

/** The event types of the second registration. They differ from those of the first. */
const KINDS = ["delivery.cancelled", "delivery.queued"] as const;

type ReceiverContext = ContextFor<"receiver">;

/** An endpoint that a 410 closed, and that was registered again for other event types. */
interface Reopened {
  readonly subscription: Subscription;
  /** Attempts since the second registration, in order of arrival. */
  arrivals(): readonly Attempt[];
}

async function reopen(context: ReceiverContext): Promise<Reopened> {
  const closed = await subscribeToCreations(context, () => GONE);
  await (await sendCreationEvent(context)).waitForDelivery(closed);
  if (!(await isClosedSoon(context.api, closed.id))) {
    const subject = "the listed status of the endpoint that returned 410";
    throw new CheckFailure({ subject, relation: "not to be", expected: "ACTIVE", actual: "ACTIVE" });
  }
  const { length } = closed.inbox.attempts;
  const subscription = await context.subscribe({
    event_types: KINDS,
    responder: () => SUCCESS,
    inbox: closed.inbox,
  });
  return { subscription, arrivals: () => closed.inbox.attempts.slice(length) };
}

/**
 * Creates a delivery and cancels it. Resolves once the reopened endpoint has received both events and a test
 * event.
 */
async function sendBothEvents(
  context: ReceiverContext,
  { inbox, waitForSentinelEvent }: Subscription,
): Promise<void> {
  const delivery = await createDelivery(context);
  await inbox.waitForFirst(isAbout(delivery, "delivery.queued"), `delivery.queued of ${delivery.id}`);
  await cancelDelivery(context.api, delivery.id);
  await inbox.waitForFirst(isAbout(delivery, "delivery.cancelled"), `delivery.cancelled of ${delivery.id}`);
  await waitForSentinelEvent();
}

const kinds = check({
  id: "closing.reopened-kinds",
  title:
    "an endpoint that was closed by 410 and registered again gets only the event types of its new registration",
  clauses: [clause["RETRY-30"]],
  needs: ["receiver"],
  mutants: ["reopened-endpoint-keeps-its-old-event-types", "endpoint-closed-by-410-stays-closed"],
  async run(context) {
    const { subscription, arrivals } = await reopen(context);
    await sendBothEvents(context, subscription);
    const isNamed = (attempt: Attempt) => KINDS.some((kind) => isOfKind(kind)(attempt));
    const unexpected = arrivals().filter((attempt) => !isNamed(attempt) && !isOfKind(TEST_KIND)(attempt));
    const [first] = unexpected;
    if (!first) return;
    subscription.inbox.markAsEvidence(first);
    const mismatch = { subject: "the type of an arriving event", relation: "to be one of" } as const;
    throw new CheckFailure({ ...mismatch, expected: KINDS, actual: kindOf(first) });
  },
});

const secret = check({
  id: "closing.reopened-secret",
  title:
    "the events of an endpoint that was closed by 410 and registered again are signed with the secret of its new registration",
  clauses: [clause["SIGN-13"]],
  needs: ["receiver"],
  mutants: ["reopened-endpoint-signs-with-the-old-secret"],
  async run(context) {
    const { subscription, arrivals } = await reopen(context);
    await sendBothEvents(context, subscription);
    expectSigned(arrivals(), subscription.secret, "the secret of the new registration");
    // After another rotation, webhooks are only signed with the newest secret.
    const path = { id: subscription.id };
    const rotated = (await context.api.call("rotateWebhookSecret", { path })).expectSuccess().body(200);
    // Copies of an earlier event may arrive late, with the signature of their time.
    const earlier = new Set(arrivals().map(webhookId));
    await sendBothEvents(context, subscription);
    const later = arrivals().filter((attempt) => !earlier.has(webhookId(attempt)));
    expectSigned(later, rotated.secret, "the secret after a rotation");
  },
});

export const closingReopenedChecks: readonly Check[] = [kinds, secret];
