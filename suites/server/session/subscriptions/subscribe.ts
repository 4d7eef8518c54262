import { shared } from "../../../core/concurrency.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { textOf } from "../../../core/json.ts";
import type { Redactor } from "../../../core/text/redact.ts";
import type { Api } from "../http/api.ts";
import type { Integrator } from "../integrator.ts";
import { subscriptionsOf } from "../lists/list-entries.ts";
import { drawnUuid } from "../sample-data/drawn.ts";
import { isOfKind, webhookId } from "../webhook-receiver/attempt.ts";
import type { Inbox, Responder } from "../webhook-receiver/inbox.ts";
import type { WebhookReceiver } from "../webhook-receiver/receiver.ts";
import { withEndpointState } from "./endpoint-state.ts";

/** The listed state of an endpoint, if it may explain missing events. Undefined otherwise. */
async function endpointState(api: Api, id: string): Promise<string | undefined> {
  const listed = await api.call("listWebhooks");
  if (listed.status !== 200) return undefined;
  const shown = subscriptionsOf(listed).find((subscription) => subscription.id === id);
  if (!shown) return "the endpoint seems to be closed: it isn't listed any more";
  if (shown.status !== "ACTIVE")
    return `the endpoint seems to be closed: its status is ${textOf(shown.status)}`;
  const since = shown.failing_since ?? null;
  return since === null
    ? undefined
    : `the endpoint has been failing since ${textOf(since)}, by its failing_since`;
}

/** A check's subscription, which is deleted when the check ends. */
export interface Subscription {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
  readonly inbox: Inbox;
  /** The response to its creation. */
  readonly created: Schemas["WebhookWithSecret"];
  /**
   * Requests a test event, waits for it, and repeats that. Earlier events for this endpoint that haven't
   * arrived by then weren't sent.
   */
  waitForSentinelEvent(): Promise<void>;
  /** The endpoint's listed state, if it may explain missing events. Undefined otherwise. */
  state(): Promise<string | undefined>;
}

export interface SubscriptionOptions {
  readonly event_types?: readonly string[];
  readonly description?: string;
  readonly responder?: Responder;
  /** An inbox that was subscribed before. Defaults to a new one. */
  readonly inbox?: Inbox;
  /** The subscription's integrator. Defaults to the check's own. */
  readonly integrator?: Integrator;
}

/** A new URL at a public host with a valid certificate, for subscriptions without a receiver (OPEN-163). */
export const publicWebhookUrl = (): string => `https://example.com/hooks/${drawnUuid()}`;

/** The number of a sentinel's test events. */
export const SENTINEL_EVENTS = 2;

/** Subscribes an endpoint of the receiver for the integrator. */
export async function subscribe(
  receiver: WebhookReceiver,
  api: Api,
  redact: Redactor,
  options: SubscriptionOptions,
): Promise<Subscription> {
  const inbox = options.inbox ?? receiver.inbox();
  if (options.responder) inbox.respondWith(options.responder);
  const response = await api.call("createWebhook", {
    body: {
      url: inbox.url,
      ...(options.event_types && { event_types: [...options.event_types] }),
      ...(options.description === undefined ? {} : { description: options.description }),
    },
  });
  const created = response.body(201);
  redact.learn(created.secret);
  const state = () => endpointState(api, created.id);
  return {
    id: created.id,
    secret: created.secret,
    url: inbox.url,
    inbox,
    created,
    // One at a time, because another call's test event proves nothing about later events.
    waitForSentinelEvent: shared(async () => {
      // A target with concurrent sending may deliver the first one before an event sent just earlier.
      for (let sent = 0; sent < SENTINEL_EVENTS; sent += 1) {
        const before = new Set(inbox.attempts.map(webhookId));
        (await api.call("testWebhook", { path: { id: created.id } })).expectSuccess();
        await withEndpointState({ state }, () =>
          inbox.waitForFirst(
            (attempt) => isOfKind(TEST_KIND)(attempt) && !before.has(webhookId(attempt)),
            "webhook.test, requested after all earlier events,",
          ),
        );
      }
    }),
    state,
  };
}
