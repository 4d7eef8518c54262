import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { type CaseGroup, cases, ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { textOf } from "../../../core/json.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { deliveryOf, kindOf } from "../../session/webhook-receiver/attempt.ts";
import { answerWith, type Reaction } from "../../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import {
  type AttemptSequence,
  expectControlEventRetried,
  expectEnded,
} from "../../support/webhooks/attempt-sequence.ts";
import { isProbablySecond } from "../../support/webhooks/attempt-times.ts";
import {
  sendCreationEvent,
  sendToNewEndpoint,
  subscribeToCreations,
} from "../../support/webhooks/creation-events.ts";
import { alwaysFailing, respondInTurn, SUCCESS } from "../../support/webhooks/responses.ts";
import {
  RETRY_DELAYS_S,
  secondsUntilLastRetry,
  secondsUntilRetry,
} from "../../support/webhooks/retry-times.ts";
import { shownSubscription } from "../../support/webhooks/subscriptions.ts";
import { answerTime } from "./endpoints-answer-time.ts";

const [ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S] = RETRY_DELAYS_S;

/** The maximum number of an integrator's endpoints (LIMIT-14). Each endpoint tests one reaction at a time. */
const MAX_ENDPOINTS = 5;

const secondsOfRounds = (reactions: readonly unknown[]): number =>
  Math.ceil(reactions.length / MAX_ENDPOINTS) * secondsUntilRetry(ATTEMPT_2_DELAY_S);

/**
 * The maximum number of events. If an event's first attempt is lost, the second looks like the first, and the
 * check sends a new event.
 */
const MAX_EVENTS = 3;

/** Sends an event to endpoints. Sends a new event if a first attempt was lost. */
async function sendWithoutLoss(
  context: ContextFor<"receiver">,
  subscriptions: readonly Subscription[],
): Promise<readonly AttemptSequence[]> {
  for (let events = 1; ; events += 1) {
    const event = await sendCreationEvent(context);
    const sequences = await Promise.all(subscriptions.map((endpoint) => event.waitForDelivery(endpoint)));
    const firsts = sequences.flatMap(({ attempts }) => attempts.slice(0, 1));
    if (events === MAX_EVENTS || !firsts.some(isProbablySecond)) return sequences;
  }
}

/**
 * For each kind, lets an endpoint react to an event's first attempt, and asserts that the event is sent again.
 * Tests five kinds at a time.
 */
async function expectRepeated<Kind>(
  context: ContextFor<"receiver" | "clock">,
  kinds: CaseGroup<Kind>,
  reactionOf: (kind: Kind) => Reaction,
  failureOf: (kind: Kind, sequence: AttemptSequence) => WebhookFailure | undefined = () => undefined,
): Promise<void> {
  const subscriptions = await Promise.all(
    kinds.elements.slice(0, MAX_ENDPOINTS).map(() => subscribeToCreations(context, () => SUCCESS)),
  );
  const sequences = new Map<Kind, AttemptSequence>();
  const repeatOf = async (kind: Kind) => {
    const sequence = sequences.get(kind);
    await sequence?.waitForAttempt(2, undefined, () => failureOf(kind, sequence));
  };
  await context.each(kinds, repeatOf, {
    concurrency: MAX_ENDPOINTS,
    before: async (round) => {
      const reacting = round.flatMap((kind, index) => {
        const subscription = subscriptions[index];
        subscription?.inbox.respondWith(respondInTurn(reactionOf(kind)));
        return subscription ? { kind, subscription } : [];
      });
      const endpoints = reacting.map(({ subscription }) => subscription);
      const sent = await sendWithoutLoss(context, endpoints);
      for (const [index, { kind }] of reacting.entries()) {
        const sequence = sent[index];
        if (sequence) sequences.set(kind, sequence);
      }
      await context.advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    },
  });
}

/** The specification's schedule applies, whatever an endpoint asks for. */
const ENDPOINT_RETRY_AFTER = { "retry-after": "3600" };

const repeatedAfter = (
  set: "server-error-statuses" | "client-error-statuses",
  metadata: Pick<Check, "id" | "title" | "clauses">,
): Check =>
  check({
    ...metadata,
    needs: ["receiver", "clock"],
    virtualSeconds: secondsOfRounds(elementsOf(set)),
    run: (context) =>
      expectRepeated(context, ofSet(set), (status) => answerWith(Number(status), ENDPOINT_RETRY_AFTER)),
  });

const serverErrors = repeatedAfter("server-error-statuses", {
  id: "endpoints.server-errors",
  title: "an attempt that gets 5xx is retried, even if the response has a retry-after header",
  clauses: [clause["RETRY-1"]],
});

const clientErrors = repeatedAfter("client-error-statuses", {
  id: "endpoints.client-errors",
  title: "an attempt that gets 4xx other than 410 is retried, even if the response has a retry-after header",
  clauses: [clause["RETRY-2"]],
});

const brokenConnections = check({
  id: "endpoints.broken-connections",
  title: "an attempt whose connection breaks before a response is retried",
  clauses: [clause["RETRY-7"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S),
  run: (context) =>
    expectRepeated(context, cases("ways to break a connection", ["a reset"]), () => ({ kind: "reset" })),
});

const redirects = check({
  id: "endpoints.redirects",
  title: "a redirect isn't followed and counts as a failure",
  clauses: [clause["RETRY-3"], clause["RETRY-4"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsOfRounds(elementsOf("redirect-statuses")),
  async run(context) {
    const redirectTarget = context.inbox();
    const queryOf = (status: string) => `?from=${status}`;
    await expectRepeated(
      context,
      ofSet("redirect-statuses"),
      (status) => answerWith(Number(status), { location: `${redirectTarget.url}${queryOf(status)}` }),
      (status, sequence) => {
        const followed = redirectTarget.attempts.filter(({ url }) => url.endsWith(queryOf(status)));
        if (followed.length === 0) return undefined;
        return new WebhookFailure(
          {
            subject: `attempt 2 after the redirect ${status}`,
            relation: "to arrive",
            expected: "at the endpoint itself",
            actual: "a request to the redirect's Location: the redirect was followed",
          },
          { attempts: sequence.attempts },
        );
      },
    );
    expectThat("requests at the Location of the redirects", redirectTarget.attempts.map(kindOf)).isEmpty();
  },
});

const successes = check({
  id: "endpoints.successes",
  title: "any 2xx response is a success, whatever its body, and the event isn't sent again",
  clauses: [clause["RETRY-8"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]),
  async run(context) {
    const body = `<p>${"Teşekkürler! ".repeat(300)}</p>`;
    const subscription = await subscribeToCreations(context, () => SUCCESS);
    const sequences = new Map<string, AttemptSequence>();
    const reactions = new Map<string, Reaction>();
    for (const status of elementsOf("success-statuses")) {
      const reaction: Reaction = { ...answerWith(Number(status)), ...(status === "201" && { body }) };
      // Later attempts of an event get the same reaction as its first attempt.
      subscription.inbox.respondWith((attempt) => reactions.get(textOf(deliveryOf(attempt)?.id)) ?? reaction);
      const event = await sendCreationEvent(context);
      const sequence = await event.waitForDelivery(subscription);
      reactions.set(sequence.deliveryId, reaction);
      sequences.set(status, sequence);
    }
    const control = await sendToNewEndpoint(context, alwaysFailing);
    await context.advanceClock(secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]));
    await subscription.waitForSentinelEvent();
    expectControlEventRetried(control);
    await context.each(ofSet("success-statuses"), (status) =>
      expectEnded(sequences.get(status)?.attempts ?? [], 1, `the event that got ${status}`),
    );
  },
});

/** Each status has its own endpoint, because a success would end the failures of another status. */
const ACCEPTING_STATUSES = ["201", "202", "203", "204", "299"] as const;

const acceptedEvents = check({
  id: "endpoints.accepted-events",
  title:
    "failing_since stays null at an endpoint that responds to every event with 201, 202, 203, 204 or 299",
  clauses: [clause["HOOK-40"]],
  needs: ["receiver"],
  async run(context) {
    const subscriptions: (readonly [status: string, subscription: Subscription])[] = [];
    for (const status of ACCEPTING_STATUSES)
      subscriptions.push([status, await subscribeToCreations(context, () => answerWith(Number(status)))]);
    const event = await sendCreationEvent(context);
    await context.each(
      cases("statuses", subscriptions, ([status]) => status),
      async ([status, subscription]) => {
        await event.waitForDelivery(subscription);
        // The service has recorded the response to the first event by the time of later events.
        await subscription.waitForSentinelEvent();
        const shown = await shownSubscription(context.api, subscription.id);
        expectThat(
          { field: "failing_since", where: `of an endpoint that responded to each event with ${status}` },
          shown?.failing_since ?? null,
        ).is(null);
      },
      { concurrency: MAX_ENDPOINTS },
    );
  },
});

const independent = check({
  id: "endpoints.independent",
  title: "an event that fails at one endpoint is retried there, and not at another that accepted it",
  clauses: [clause["RETRY-18"]],
  needs: ["receiver", "clock"],
  virtualSeconds: secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S]),
  async run(context) {
    const accepting = await subscribeToCreations(context, respondInTurn());
    const refusing = await subscribeToCreations(context, alwaysFailing);
    const event = await sendCreationEvent(context);
    const acceptedSequence = await event.waitForDelivery(accepting);
    const refusedSequence = await event.waitForDelivery(refusing);
    await context.advanceClock(
      secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S]),
    );
    await refusedSequence.waitForAttempt(4);
    await accepting.waitForSentinelEvent();
    expectEnded(acceptedSequence.attempts, 1, "the event at the endpoint that accepted it");
  },
});

export const endpointsChecks: readonly Check[] = [
  serverErrors,
  clientErrors,
  brokenConnections,
  redirects,
  answerTime,
  successes,
  acceptedEvents,
  independent,
];
