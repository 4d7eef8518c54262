import { shared } from "../../../core/concurrency.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import type { Redactor } from "../../../core/text/redact.ts";
import type { Api } from "../http/api.ts";
import type { Integrator } from "../integrator.ts";
import { drawnUuid } from "../sample-data/drawn.ts";
import { isOfKind, webhookId } from "../webhook-receiver/attempt.ts";
import type { Inbox, Responder } from "../webhook-receiver/inbox.ts";
import type { WebhookReceiver } from "../webhook-receiver/receiver.ts";
import { addressState, toldWithState } from "./address-state.ts";

/** A webhook address that a check has subscribed; it is deleted when the check ends. */
export interface Subscription {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
  readonly inbox: Inbox;
  /** The subscription as its creation answered it. */
  readonly created: Schemas["WebhookWithSecret"];
  /**
   * Sends a test event and waits until it arrives, and once more. Earlier events for this endpoint that haven't arrived
   * by then count as not sent.
   */
  sentinel(): Promise<void>;
  /** The listed state of the endpoint that may explain why nothing comes there. Undefined if there is nothing. */
  state(): Promise<string | undefined>;
}

export interface SubscriptionOptions {
  readonly event_types?: readonly string[];
  readonly description?: string;
  readonly responder?: Responder;
  /** An address that was subscribed before; a new one by default. */
  readonly inbox?: Inbox;
  /** The integrator of the subscription; the check's own by default. */
  readonly integrator?: Integrator;
}

/** A new address on a public host with a valid certificate, for who only wants to name one (OPEN-163). */
export const publicWebhookUrl = (): string => `https://example.com/hooks/${drawnUuid()}`;

/** Test events that a sentinel requests. */
export const FENCE_TESTS = 2;

/** Subscribes an address of the receiver's for the integrator. */
export async function subscribe(
  receiver: WebhookReceiver,
  api: Api,
  redact: Redactor,
  options: SubscriptionOptions,
): Promise<Subscription> {
  const inbox = options.inbox ?? receiver.inbox();
  if (options.responder) inbox.respondWith(options.responder);
  const answer = await api.call("createWebhook", {
    body: {
      url: inbox.url,
      ...(options.event_types && { event_types: [...options.event_types] }),
      ...(options.description === undefined ? {} : { description: options.description }),
    },
  });
  const created = answer.body(201);
  redact.learn(created.secret);
  const state = () => addressState(api, created.id);
  return {
    id: created.id,
    secret: created.secret,
    url: inbox.url,
    inbox,
    created,
    // One at a time: another caller's test event shows nothing about later events.
    sentinel: shared(async () => {
      // A target that sends several at once may let the first overtake an event sent just before it.
      for (let sent = 0; sent < FENCE_TESTS; sent += 1) {
        const before = new Set(inbox.attempts.map(webhookId));
        (await api.call("testWebhook", { path: { id: created.id } })).succeeded();
        await toldWithState({ state }, () =>
          inbox.waitForFirst(
            (attempt) => isOfKind(TEST_KIND)(attempt) && !before.has(webhookId(attempt)),
            "webhook.test, asked for to show that all before it was sent,",
          ),
        );
      }
    }),
    state,
  };
}
