import { shared } from "../../../core/concurrency.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { inUnits } from "../../../core/durations.ts";
import { auxiliaryStep } from "../../../core/grading/expectations/auxiliary-step.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { isObject, textOf } from "../../../core/json.ts";
import { isSuccess } from "../../../core/responses.ts";
import type { Redactor } from "../../../core/text/redact.ts";
import type { Api } from "../http/api.ts";
import type { Integrator } from "../integrator.ts";
import { subscriptionsOf } from "../lists/list-entries.ts";
import { drawnUuid } from "../sample-data/drawn.ts";
import { type Attempt, isOfKind, webhookId } from "../webhook-receiver/attempt.ts";
import type { Inbox, Responder } from "../webhook-receiver/inbox.ts";
import type { WebhookReceiver } from "../webhook-receiver/receiver.ts";
import { withEndpointState } from "./endpoint-state.ts";

/** The number of attempts that an endpoint has got, and the time from the first to the last by their timestamps. */
function describeDuration(attempts: readonly Attempt[]): string {
  const times = attempts.map(({ headers }) => Number(headers["webhook-timestamp"]));
  const seconds = Math.max(...times) - Math.min(...times);
  return seconds > 0 ? ` after ${attempts.length} attempts in ${inUnits(seconds)}` : "";
}

/**
 * The listed state of an endpoint, if the state may explain missing events. Undefined otherwise. Failures that the
 * suite itself responded with explain nothing.
 */
async function endpointState(
  api: Api,
  id: string,
  { attempts, statuses }: Pick<Inbox, "attempts" | "statuses">,
): Promise<string | undefined> {
  const listed = await api.call("listWebhooks");
  if (listed.status !== 200) return undefined;
  const shown = subscriptionsOf(listed).find((subscription) => subscription.id === id);
  const after = describeDuration(attempts);
  if (!shown) return `the endpoint seems to be closed: it isn't listed any more${after}`;
  if (shown.status !== "ACTIVE")
    return `the endpoint seems to be closed: its status is ${textOf(shown.status)}${after}`;
  const since = shown.failing_since ?? null;
  const failsOnPurpose = statuses.some((status) => status === undefined || status >= 300);
  return since === null || failsOnPurpose
    ? undefined
    : `the endpoint has been failing since ${textOf(since)}, by its failing_since`;
}

/** A check's subscription, which is deleted when the check ends. */
export interface Subscription {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
  readonly inbox: Inbox;
  /** The response to the creation of the subscription. */
  readonly created: Schemas["WebhookWithSecret"];
  /**
   * Requests a test event and waits for it, twice. After that, earlier events for this endpoint that haven't
   * arrived weren't sent.
   */
  waitForSentinelEvent(): Promise<void>;
  /** Returns the endpoint's listed state, if the state may explain missing events. Undefined otherwise. */
  state(): Promise<string | undefined>;
}

export interface SubscriptionOptions {
  readonly event_types?: readonly string[];
  readonly description?: string;
  readonly responder?: Responder;
  /** The inbox to subscribe. Defaults to a new inbox. */
  readonly inbox?: Inbox;
  /** A query that the registered URL has in addition, such as "?kitchen=2". */
  readonly query?: string;
  /** The subscription's integrator. Defaults to the check's integrator. */
  readonly integrator?: Integrator;
}

/** A new URL at a public host with a valid certificate, for subscriptions without a receiver (OPEN-163). */
export const publicWebhookUrl = (): string => `https://example.com/hooks/${drawnUuid()}`;

/** The number of test events that `waitForSentinelEvent` requests. */
export const SENTINEL_EVENT_COUNT = 2;

/** Subscribes an endpoint of the receiver for the integrator. */
export async function subscribe(
  receiver: WebhookReceiver,
  api: Api,
  redact: Redactor,
  options: SubscriptionOptions,
): Promise<Subscription> {
  const inbox = options.inbox ?? receiver.inbox();
  const url = `${inbox.url}${options.query ?? ""}`;
  if (options.responder) inbox.respondWith(options.responder);
  const response = await api.call("createWebhook", {
    body: {
      url,
      ...(options.event_types && { event_types: [...options.event_types] }),
      ...(options.description === undefined ? {} : { description: options.description }),
    },
  });
  const created = response.body(201);
  redact.learn(created.secret);
  const state = () => endpointState(api, created.id, inbox);
  const subscribedTo = options.event_types
    ? `of the subscription to ${options.event_types.join(" and ")}`
    : "of the subscription to the default event types";
  const testIds = new Set<string>();
  return {
    id: created.id,
    secret: created.secret,
    url,
    inbox,
    created,
    // One call at a time, because the test event of an earlier call proves nothing about later events.
    waitForSentinelEvent: shared(() =>
      // Requests several test events, because a target that sends concurrently may deliver the first test event
      // before an earlier event.
      auxiliaryStep(async () => {
        for (let sent = 0; sent < SENTINEL_EVENT_COUNT; sent += 1) {
          const before = new Set(inbox.attempts.map(webhookId));
          const response = await api.call("testWebhook", { path: { id: created.id } });
          // If reading the endpoint's state fails too, only the unexpected status is reported.
          if (!isSuccess(response))
            throw response.failureOfStatus("2xx", await state().catch(() => undefined));
          const { json } = response;
          // Fails at once, because a test event with an earlier id looks like a repetition, so the wait would time out.
          const eventId = isObject(json) ? json.event_id : undefined;
          expectThat("the event_id of a further test of an endpoint", eventId).isNoneOf([...testIds]);
          if (typeof eventId === "string") testIds.add(eventId);
          await withEndpointState({ state }, () =>
            // The test event isn't evidence of the check's later failures.
            inbox.waitUntil(
              (attempts) => attempts.some((one) => isOfKind(TEST_KIND)(one) && !before.has(webhookId(one))),
              { field: TEST_KIND, where: `${subscribedTo}, requested after all earlier events,` },
            ),
          );
        }
      }),
    ),
    state,
  };
}
