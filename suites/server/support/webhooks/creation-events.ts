import type { EventKind } from "../../../core/contract/event-kinds.ts";
import type { BaseContext, ContextFor } from "../../check.ts";
import type { Subscription, SubscriptionOptions } from "../../session/subscriptions/subscribe.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import { createDelivery } from "../orders/deliveries.ts";
import { AttemptSequence } from "./attempt-sequence.ts";

type DeliveryContext = Pick<BaseContext, "api" | "order" | "now">;

type SubscribingContext = DeliveryContext & Pick<ContextFor<"receiver">, "subscribe" | "paymentType">;

/** The event of a delivery's creation, sent to several endpoints. */
class CreationEvent {
  readonly #deliveryId: string;
  readonly #now: () => number;

  constructor(deliveryId: string, now: () => number) {
    this.#deliveryId = deliveryId;
    this.#now = now;
  }

  /** The attempts of the event at an endpoint. */
  attemptsTo(subscription: Subscription): AttemptSequence {
    return new AttemptSequence(subscription, this.#deliveryId, this.#now);
  }

  /** Waits for the first attempt, which is expected immediately. */
  async waitForDelivery(subscription: Subscription): Promise<AttemptSequence> {
    const sequence = this.attemptsTo(subscription);
    await sequence.waitForFirst();
    return sequence;
  }
}

export async function sendCreationEvent(context: DeliveryContext): Promise<CreationEvent> {
  const { id } = await createDelivery(context);
  return new CreationEvent(id, context.now);
}

/** Waits for the first attempts of a delivery's events of these types. Each type has one event. */
export async function waitForKinds<Kind extends EventKind>(
  { now }: Pick<BaseContext, "now">,
  subscription: Subscription,
  { id }: { readonly id: string },
  kinds: readonly Kind[],
): Promise<Readonly<Record<string, AttemptSequence>>> {
  const sequences: Record<string, AttemptSequence> = {};
  for (const kind of kinds) {
    const sequence = new AttemptSequence(subscription, id, now, kind);
    await sequence.waitForFirst();
    sequences[kind] = sequence;
  }
  return sequences;
}

type Endpoint = Pick<SubscriptionOptions, "event_types" | "inbox" | "query">;

/** Subscribes a new or given endpoint, by default to delivery.created only, with this response. */
export async function subscribeToCreations(
  { subscribe, paymentType }: SubscribingContext,
  responder: Responder,
  endpoint: Endpoint = {},
): Promise<Subscription> {
  // Comes before the subscription, because finding an accepted payment type creates orders, whose events would
  // arrive.
  await paymentType();
  return subscribe({ event_types: ["delivery.created"], responder, ...endpoint });
}

/**
 * Sends one event to new endpoints with these responses, and waits for each first attempt. An integrator has
 * five endpoints (LIMIT-14).
 * @param lastAlso another event kind of a creation, which only the last endpoint gets
 */
export async function sendToNewEndpoints(
  context: SubscribingContext,
  responders: readonly Responder[],
  lastAlso?: EventKind,
): Promise<readonly AttemptSequence[]> {
  const subscriptions: Subscription[] = [];
  for (const [index, responder] of responders.entries()) {
    const also = index === responders.length - 1 && lastAlso ? [lastAlso] : [];
    const endpoint = { event_types: ["delivery.created" as const, ...also] };
    subscriptions.push(await subscribeToCreations(context, responder, endpoint));
  }
  const event = await sendCreationEvent(context);
  return Promise.all(subscriptions.map((subscription) => event.waitForDelivery(subscription)));
}

/** Sends one event to one new endpoint with this response, and waits for the first attempt. */
export async function sendToNewEndpoint(
  context: SubscribingContext,
  responder: Responder,
  endpoint?: Endpoint,
): Promise<AttemptSequence> {
  const subscription = await subscribeToCreations(context, responder, endpoint);
  return (await sendCreationEvent(context)).waitForDelivery(subscription);
}
