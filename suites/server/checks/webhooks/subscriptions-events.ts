import { clause } from "../../../../openapi/generated/clauses.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { described } from "../../../core/text/shown-value.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { SENTINEL_EVENT_COUNT, type Subscription } from "../../session/subscriptions/subscribe.ts";
import {
  type Attempt,
  envelopeOf,
  firstAttempts,
  isOfKind,
  kindOf,
  webhookId,
} from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";
import { isSignedWith } from "../../session/webhook-receiver/signature.ts";
import { changeDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import {
  sendToNewEndpoint,
  sendToNewEndpoints,
  subscribeToCreations,
} from "../../support/webhooks/creation-events.ts";
import { eventsOf, isAbout, waitForEvent } from "../../support/webhooks/delivery-events.ts";
import { expectOnlySecondKinds, SECOND_KINDS } from "../../support/webhooks/registered-again.ts";
import { alwaysFailing, SUCCESS } from "../../support/webhooks/responses.ts";
import { RETRY_DELAYS_S, secondsUntilRetry } from "../../support/webhooks/retry-times.ts";
import { expectSigned } from "../../support/webhooks/webhook-signatures.ts";

const [ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S] = RETRY_DELAYS_S;

/** The endpoint whose pending events a deletion doesn't end, as failures name it. */
const REMAINING = "an endpoint that remains when another is deleted";

/** A generous limit for "within seconds" (specification, "Webhook subscriptions"; OPEN-170). */
const WITHIN_SECONDS_MS = 30_000;

const sendTestEvent = async (api: Api, id: string): Promise<string> =>
  (await api.call("testWebhook", { path: { id } })).body(202).event_id;

const isTest = isOfKind(TEST_KIND);

const TEST_EVENT = { field: TEST_KIND, where: "" };

/** The event_id in the response may be the webhook-id or the envelope's id (OPEN-171). */
const hasEventId =
  (id: string) =>
  (attempt: Attempt): boolean =>
    webhookId(attempt) === id || envelopeOf(attempt).id === id;

/**
 * Waits for the test event that a response announced. The description names both ids, so that the failure of a
 * server with another event_id doesn't look like a lost event.
 */
const waitForTestEvent = (inbox: Inbox, eventId: string): Promise<Attempt> =>
  inbox.waitForFirst(
    (attempt) => isTest(attempt) && hasEventId(eventId)(attempt),
    `webhook.test with the event_id ${eventId} as its webhook-id or envelope id`,
  );

async function rotateSecret(api: Api, id: string): Promise<string> {
  return (await api.call("rotateWebhookSecret", { path: { id } })).expectSuccess().body(200).secret;
}

const test = check({
  id: "subscriptions.test-event",
  smokeTestOf: "testWebhook",
  title: "a test request returns 202 with an event_id, and a webhook.test event with that id arrives",
  clauses: [clause["HOOK-32"], clause["HOOK-33"], clause["HOOK-35"], clause["EVENT-34"]],
  needs: ["receiver"],
  async run({ api, attributeTo, each, subscribe }) {
    const event_types = ["delivery.delivered"];
    const { id, inbox } = await subscribe({ event_types });
    const other = await subscribe({ event_types, description: "Mutfak" });
    const toDefault = await subscribe();
    attributeTo(clause["HOOK-32"]);
    const endpoints = {
      "without a description": id,
      "with a description": other.id,
      "with the default event types": toDefault.id,
    };
    const events: string[] = [];
    await each(casesFrom("endpoints", endpoints), async ([, endpoint]) => {
      events.push(await sendTestEvent(api, endpoint));
    });
    const [event = ""] = events;
    attributeTo(clause["HOOK-33"]);
    const inboxes = { "delivery.delivered": inbox, "the default event types": toDefault.inbox };
    await each(
      casesFrom("subscriptions", inboxes),
      async ([types, waiting]) => {
        const testEvent = { ...TEST_EVENT, where: `of the subscription to ${types}` };
        await waiting.waitForFirst(isTest, testEvent, WITHIN_SECONDS_MS);
      },
      { concurrency: 2 },
    );
    attributeTo(clause["HOOK-35"]);
    await waitForTestEvent(inbox, event);
    attributeTo(clause["EVENT-34"]);
    const response = await api.call("testWebhook", { path: { id } });
    expectThat("the event_id of a second test of the endpoint", response.body(202).event_id).isNot(event);
    // Asserted last, so that a response with another 2xx status and the right event_id fails only HOOK-32.
    attributeTo(clause["HOOK-32"]);
    response.expectStatus(202);
  },
});

const lastSegment = (url: string): string => (url.split("?")[0] ?? "").split("/").at(-1) ?? "";

/**
 * A URL library may decode the %2F in the query, because a query may contain a slash (RFC 3986, 3.4), but not
 * the %2B.
 */
const URL_QUERY = "kitchen=2&key=a%2Fb&sum=1%2B2";

/** The decoded names and values in order, because a sender may encode them in another way. */
const parametersOf = (search: string) =>
  [...new URLSearchParams(search)].map((parameter) => parameter.join(" = "));

const query = check({
  id: "subscriptions.query-of-the-url",
  title: "events are sent to exactly the registered url, with its letter case and query",
  clauses: [clause["EVENT-3"]],
  needs: ["receiver"],
  async run(context) {
    const inbox = context.inbox();
    const path = lastSegment(inbox.url).toUpperCase();
    const registered = new URL(`${path}?${URL_QUERY}`, inbox.url).href;
    const { id } = (await context.registerWebhook({ url: registered })).body(201);
    await sendTestEvent(context.api, id);
    const { url } = await inbox.waitForFirst(isTest, TEST_EVENT);
    // Compares only the last segment, because a proxy may change the start of the path.
    expectThat("the last segment of the url's path", lastSegment(url)).is(path);
    expectThat("the query's parameters, decoded", parametersOf(new URL(url, inbox.url).search)).is(
      parametersOf(URL_QUERY),
    );
  },
});

const testEventWithinSeconds = check({
  id: "subscriptions.test-event-within-seconds",
  title: "webhook.test arrives within 30 seconds of the request",
  clauses: [clause["HOOK-34"]],
  needs: ["receiver"],
  async run({ api, subscribe }) {
    const { id, inbox } = await subscribe({ event_types: ["delivery.delivered"] });
    (await api.call("testWebhook", { path: { id } })).expectSuccess();
    await inbox.waitForFirst(isTest, TEST_EVENT, WITHIN_SECONDS_MS);
  },
});

const testEventToNoOther = check({
  id: "subscriptions.test-event-to-no-other",
  title: "webhook.test is sent only to the tested endpoint",
  clauses: [clause["HOOK-36"]],
  needs: ["receiver"],
  async run({ api, each, subscribe }) {
    const [first, second] = [await subscribe(), await subscribe()];
    const [toFirst, toSecond] = [await sendTestEvent(api, first.id), await sendTestEvent(api, second.id)];
    await waitForTestEvent(first.inbox, toFirst);
    await waitForTestEvent(second.inbox, toSecond);
    const endpoints = { "the first": first, "the second": second };
    await each(casesFrom("endpoints", endpoints), async ([, { inbox, waitForSentinelEvent }]) => {
      await waitForSentinelEvent();
      // Each endpoint gets the test event that this check requested and those of waitForSentinelEvent.
      const tests = firstAttempts(inbox.attempts.filter(isTest)).length;
      expectThat(
        `test events at an endpoint that was tested ${1 + SENTINEL_EVENT_COUNT} times`,
        tests,
      ).isAtMost(1 + SENTINEL_EVENT_COUNT);
    });
    expectThat(
      "the first endpoint's test event at the second endpoint",
      second.inbox.attempts.filter(hasEventId(toFirst)).map(kindOf),
    ).isEmpty();
  },
});

const deleted = check({
  id: "subscriptions.deleted-gets-nothing",
  title:
    "no new event is sent to a deleted subscription, also of a delivery that it got events of, and no test event, although its test and rotation were requested",
  clauses: [clause["HOOK-26"]],
  needs: ["receiver"],
  async run(context) {
    const { api, subscribe } = context;
    const [removed, remaining] = [await subscribe(), await subscribe()];
    const earlier = await createDelivery(context);
    await waitForEvent(removed.inbox, "delivery.created", earlier);
    const path = { id: removed.id };
    (await api.call("deleteWebhook", { path })).expectSuccess();
    // The responses are unspecified (OPEN-165).
    await api.sendInvalid("rotateWebhookSecret", "a deleted subscription", { path });
    await api.sendInvalid("testWebhook", "a deleted subscription", { path });
    const delivery = await createDelivery(context);
    await changeDelivery(api, earlier.id, { notes: "Zile basmayın" });
    // Waits at the remaining endpoint, because the deleted endpoint gets no sentinel event.
    await waitForEvent(remaining.inbox, "delivery.created", delivery);
    await waitForEvent(remaining.inbox, "delivery.updated", earlier);
    await remaining.waitForSentinelEvent();
    expectThat(
      "events of a later delivery at the deleted endpoint",
      removed.inbox.attempts.filter(isAbout(delivery)).map(kindOf),
    ).isEmpty();
    expectThat(
      "delivery.updated events of an earlier delivery at the deleted endpoint",
      removed.inbox.attempts.filter(isAbout(earlier, "delivery.updated")).map(kindOf),
    ).isEmpty();
    expectThat(
      "test events at the deleted endpoint",
      removed.inbox.attempts.filter(isTest).map(kindOf),
    ).isEmpty();
  },
});

/** Registers a deleted subscription's URL again. The new subscription has not failed yet. */
async function registerAgain(context: ContextFor<"receiver">, deleted: Subscription): Promise<void> {
  const { created, id } = await subscribeToCreations(context, alwaysFailing, { inbox: deleted.inbox });
  context.attributeTo(clause["HOOK-8"]);
  // A server may give the URL its old subscription back (OPEN-195).
  const since = id === deleted.id ? null : (created.failing_since ?? null);
  expectThat(
    { field: "failing_since", where: "of a failed url that was deleted and registered again" },
    since,
  ).is(null);
}

const pendingAtDeletion = check({
  id: "subscriptions.deletion-ends-retries",
  title:
    "pending events of a deleted subscription aren't sent, also if its url is registered again, and those of another subscription are",
  clauses: [clause["HOOK-27"], clause["RETRY-11"], clause["HOOK-8"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S) + secondsUntilRetry(ATTEMPT_3_DELAY_S),
  async run(context) {
    const [removed, remaining] = await sendToNewEndpoints(context, [alwaysFailing, alwaysFailing]);
    await context.advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    await removed?.waitForAttempt(2);
    await context.api.call("deleteWebhook", { path: { id: removed?.subscription.id ?? "" } });
    const countAtDeletion = removed?.attempts.length;
    if (removed) await registerAgain(context, removed.subscription);
    await context.advanceClock(secondsUntilRetry(ATTEMPT_3_DELAY_S));
    // Positive control: the remaining endpoint fails in the same way as the deleted one, and gets the third
    // attempt.
    context.attributeTo(clause["RETRY-11"]);
    await remaining?.waitForAttempt(3, REMAINING);
    context.attributeTo(clause["HOOK-27"]);
    expectThat("attempts at the deleted endpoint", removed?.attempts.length).is(countAtDeletion);
  },
});

const deletionBeforeSecond = check({
  id: "subscriptions.deletion-ends-second-attempts",
  title: "after its first attempt failed, an event of a subscription that is deleted then isn't sent again",
  clauses: [clause["HOOK-27"], clause["RETRY-10"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S),
  async run(context) {
    const [removed, remaining] = await sendToNewEndpoints(context, [alwaysFailing, alwaysFailing]);
    await context.api.call("deleteWebhook", { path: { id: removed?.subscription.id ?? "" } });
    // On a slow machine, the second attempt may have been sent before the deletion.
    const countAtDeletion = removed?.attempts.length;
    await context.advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    context.attributeTo(clause["RETRY-10"]);
    await remaining?.waitForAttempt(2, REMAINING);
    context.attributeTo(clause["HOOK-27"]);
    expectThat("attempts at the deleted endpoint", removed?.attempts.length).is(countAtDeletion);
  },
});

const registeredAgain = check({
  id: "subscriptions.registered-again-gets-events",
  title:
    "a URL that is registered again after its deletion gets the events of its new registration only, signed with the new secret",
  clauses: [clause["HOOK-41"]],
  needs: ["receiver"],
  async run(context) {
    const deleted = await context.subscribe({ event_types: ["delivery.created"] });
    await waitForEvent(deleted.inbox, "delivery.created", await createDelivery(context));
    (await context.api.call("deleteWebhook", { path: { id: deleted.id } })).expectSuccess();
    const again = await context.subscribe({ event_types: SECOND_KINDS, inbox: deleted.inbox });
    const delivery = await expectOnlySecondKinds(context, again);
    expectSigned(eventsOf(again.inbox, delivery), again.secret);
  },
});

const rotation = check({
  id: "subscriptions.rotation-takes-over",
  title: "after a rotation new events are signed with the new secret, and not with the old one",
  clauses: [clause["HOOK-29"], clause["HOOK-30"], clause["SIGN-6"]],
  needs: ["receiver"],
  async run(context) {
    const other = await context.subscribe();
    const { id, inbox, secret } = await context.subscribe();
    const first = await waitForEvent(inbox, "delivery.created", await createDelivery(context));
    expectSigned([first], secret);
    const secrets = [secret];
    await context.each(cases("rotations", ["the first", "the second"]), async () => {
      context.attributeTo(clause["HOOK-29"]);
      const next = await rotateSecret(context.api, id);
      const delivery = await createDelivery(context);
      const event = await waitForEvent(inbox, "delivery.created", delivery);
      expectSigned([event], next, "the new secret");
      const eventId = await sendTestEvent(context.api, id);
      const test = await waitForTestEvent(inbox, eventId);
      expectSigned([test], next, "the new secret");
      context.attributeTo(clause["HOOK-30"]);
      const signs = (old: string) => isSignedWith(event, old) || isSignedWith(test, old);
      const isSignedWithOld = secrets.some(signs);
      // Stored before the assertion, so that the next rotation tests this secret even if the assertion fails.
      secrets.push(next);
      expectThat(
        "the secret of an event's signature",
        described("a secret from before the rotation"),
      ).satisfies("only the new secret", !isSignedWithOld);
      context.attributeTo(clause["SIGN-6"]);
      const otherEvent = await waitForEvent(other.inbox, "delivery.created", delivery);
      expectSigned([otherEvent], other.secret);
    });
  },
});

const rotationOfRetries = check({
  id: "subscriptions.rotation-signs-retries",
  title: "an event that failed before a rotation is retried with a signature by the new secret",
  clauses: [clause["HOOK-31"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S) + secondsUntilRetry(ATTEMPT_3_DELAY_S),
  async run(context) {
    const { advanceClock, api } = context;
    const sequence = await sendToNewEndpoint(context, alwaysFailing);
    await advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    await sequence.waitForAttempt(2);
    const next = await rotateSecret(api, sequence.subscription.id);
    sequence.subscription.inbox.respondWith(() => SUCCESS);
    await advanceClock(secondsUntilRetry(ATTEMPT_3_DELAY_S));
    expectSigned([await sequence.waitForAttempt(3)], next, "the new secret");
  },
});

export const subscriptionsEventsChecks: readonly Check[] = [
  test,
  query,
  testEventWithinSeconds,
  testEventToNoOther,
  deleted,
  pendingAtDeletion,
  deletionBeforeSecond,
  registeredAgain,
  rotation,
  rotationOfRetries,
];
