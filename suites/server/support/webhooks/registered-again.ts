import type { Schemas } from "../../../core/contract/document.ts";
import { subjectParts } from "../../../core/grading/failures/mismatch.ts";
import type { BaseContext } from "../../check.ts";
import { withEndpointState } from "../../session/subscriptions/endpoint-state.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { kindOf } from "../../session/webhook-receiver/attempt.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { cancelDelivery, createDelivery } from "../orders/deliveries.ts";
import { eventsOf, isAbout } from "./delivery-events.ts";

/** The event types of a url's second registration. The first registration had only delivery.created. */
export const SECOND_KINDS = ["delivery.cancelled", "delivery.queued"] as const;

type SecondKind = (typeof SECOND_KINDS)[number];
type Delivery = Schemas["Delivery"];

/**
 * The failure of an event that the second registration doesn't name. Undefined without one.
 * @param missing the event that hasn't arrived
 */
function unrequestedEvent(
  { inbox }: Subscription,
  delivery: Delivery,
  missing?: SecondKind,
): WebhookFailure | undefined {
  const isRequested = (kind: string) => SECOND_KINDS.some((requested) => requested === kind);
  const found = eventsOf(inbox, delivery).find((event) => !isRequested(kindOf(event)));
  if (!found) return undefined;
  const where = "of an event at an endpoint registered again";
  return new WebhookFailure(
    {
      ...subjectParts({ field: "type", where }),
      relation: "to be one of",
      expected: SECOND_KINDS,
      actual: kindOf(found),
      ...(missing && { note: `${missing} of the same delivery didn't arrive` }),
    },
    { attempts: [found] },
  );
}

async function waitForRequested(
  subscription: Subscription,
  kind: SecondKind,
  delivery: Delivery,
): Promise<void> {
  const { inbox } = subscription;
  try {
    await withEndpointState(subscription, () =>
      inbox.waitForFirst(
        isAbout(delivery, kind),
        { field: kind, where: `of ${delivery.id}` },
        undefined,
        () => unrequestedEvent(subscription, delivery, kind),
      ),
    );
  } catch (error) {
    const isMissing = error instanceof WebhookFailure && error.kind === "absence";
    throw isMissing ? error.because(`the endpoint is registered for ${SECOND_KINDS.join(" and ")}`) : error;
  }
}

/**
 * Creates a delivery and cancels it, and asserts that an endpoint that was registered again gets the events of its
 * second registration and no others of this delivery. Events from before may still be sent (OPEN-195).
 */
export async function expectOnlySecondKinds(
  context: Pick<BaseContext, "api" | "order">,
  subscription: Subscription,
): Promise<Delivery> {
  const delivery = await createDelivery(context);
  await waitForRequested(subscription, "delivery.queued", delivery);
  await cancelDelivery(context.api, delivery.id);
  await waitForRequested(subscription, "delivery.cancelled", delivery);
  await subscription.waitForSentinelEvent();
  const unrequested = unrequestedEvent(subscription, delivery);
  if (unrequested) throw unrequested;
  return delivery;
}
