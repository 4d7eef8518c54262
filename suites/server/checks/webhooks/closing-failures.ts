import { clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import { CheckFailure, CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { described } from "../../../core/text/shown-value.ts";
import { type Check, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { answerWith } from "../../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { ROUNDING_MS } from "../../support/orders/deliveries.ts";
import { instantOfSecond, sentAt } from "../../support/webhooks/attempt-times.ts";
import {
  sendCreationEvent,
  sendToNewEndpoint,
  subscribeToCreations,
} from "../../support/webhooks/creation-events.ts";
import { failingSince, failingSinceOnceSet, instantText } from "../../support/webhooks/failing-since.ts";
import { alwaysFailing, SILENCE, SILENCE_WAIT_S, SUCCESS } from "../../support/webhooks/responses.ts";
import {
  RESPONSE_TIMEOUT_S,
  RETRY_DELAYS_S,
  secondsUntilLastRetry,
  secondsUntilRetry,
} from "../../support/webhooks/retry-times.ts";
import { LIST_POLLING, shownSubscription } from "../../support/webhooks/subscriptions.ts";
import { fiveDaysChecks } from "./closing-five-days.ts";

const [ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S] = RETRY_DELAYS_S;
const WHOLE_SCHEDULE_S = secondsUntilLastRetry(RETRY_DELAYS_S);

const MINUTE_S = 60;

/** Asserts that failing_since is between the first and the last failed attempt, with a tolerance for delays. */
function expectWithin(since: number, first: number, last: number): void {
  const [earliest, latest] = [(first - 1) * 1000, (last + 20) * 1000];
  if (since >= earliest && since <= latest) return;
  const expected = `from the first failed attempt, ${instantOfSecond(first)}, to the last, ${instantOfSecond(last)}`;
  throw new CheckFailure({
    subject: "failing_since",
    relation: "to be",
    expected: described(expected),
    actual: instantText(since),
  });
}

async function expectFailingSinceCleared(api: Api, id: string, after: string): Promise<void> {
  const isOver = async () => ((await failingSince(api, id)) === null ? true : undefined);
  if (await poll(isOver, LIST_POLLING)) return;
  throw new CheckFailure({
    subject: `failing_since after ${after}`,
    relation: "to be",
    expected: null,
    actual: instantText(await failingSince(api, id)),
  });
}

/**
 * Asserts that a rotation of the secret doesn't reset failing_since, because a rotation isn't a successful
 * attempt.
 */
async function expectKeptByRotation(api: Api, id: string, since: number): Promise<void> {
  const response = await api.call("rotateWebhookSecret", { path: { id } });
  const { failing_since = null } = response.expectSuccess().body(200);
  const shown = {
    "failing_since in the response to a rotation": failing_since === null ? null : Date.parse(failing_since),
    "failing_since after a rotation": await failingSince(api, id),
  };
  for (const [subject, after] of Object.entries(shown)) {
    // The response and the list may round the time differently (OPEN-8).
    if (after !== null && Math.abs(after - since) <= ROUNDING_MS) continue;
    throw new CheckFailure({
      subject,
      relation: "to be",
      expected: instantText(since),
      actual: instantText(after),
      note: "no event was accepted in between",
    });
  }
}

/**
 * Waits for an event.
 * @throws CheckSkipped if none comes because the endpoint was closed, which other checks report
 */
async function skipIfClosed(api: Api, id: string, wait: () => Promise<unknown>): Promise<void> {
  try {
    await wait();
  } catch (error) {
    const status = error instanceof WebhookFailure ? (await shownSubscription(api, id))?.status : "ACTIVE";
    if (status === "ACTIVE") throw error;
    throw new CheckSkipped(
      `the endpoint was closed after one event had failed eight times, so it is unknown whether a success resets failing_since`,
    );
  }
}

/** @param atSecond failing_since after the second attempt */
function expectFailingSinceKept(atSecond: number | null, since: number): void {
  if (atSecond === null || atSecond === since) return;
  throw new CheckFailure({
    subject: "failing_since after the eighth failed attempt",
    relation: "to be",
    expected: instantText(atSecond),
    actual: instantText(since),
    note: "the second attempt set it, and later failures must not change it",
  });
}

const failingSinceOfErrors = check({
  id: "closing.failing-since",
  title:
    "failing_since is the time of the first failed attempt since the last success, and null after any success",
  clauses: [clause["HOOK-8"], clause["HOOK-9"]],
  needs: ["receiver", "clock"],
  virtualSeconds:
    MINUTE_S +
    secondsUntilRetry(ATTEMPT_2_DELAY_S) +
    WHOLE_SCHEDULE_S +
    secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]),
  async run(context) {
    const { api, advanceClock } = context;
    const subscription = await subscribeToCreations(context, alwaysFailing);
    await advanceClock(MINUTE_S);
    context.attributeTo(clause["HOOK-8"]);
    const sequence = await (await sendCreationEvent(context)).waitForDelivery(subscription);
    await advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    const atSecond = await failingSince(api, subscription.id);
    await advanceClock(WHOLE_SCHEDULE_S);
    const eighth = await sequence.waitForAttempt(8);
    const first = await sequence.waitForAttempt(1);
    // The server may set failing_since at any failed attempt (OPEN-76), but must not change it afterwards.
    const since = await failingSinceOnceSet(api, subscription.id, "failed attempts", first);
    expectWithin(since, sentAt(first), sentAt(eighth));
    expectFailingSinceKept(atSecond, since);
    await expectKeptByRotation(api, subscription.id, since);
    context.attributeTo(clause["HOOK-9"]);
    subscription.inbox.respondWith(() => SUCCESS);
    const accepted = (await sendCreationEvent(context)).attemptsTo(subscription);
    await skipIfClosed(api, subscription.id, () => accepted.waitForFirst());
    await expectFailingSinceCleared(api, subscription.id, "the first attempt of a new event got 2xx");
    subscription.inbox.respondWith(alwaysFailing);
    const retried = await (await sendCreationEvent(context)).waitForDelivery(subscription);
    context.attributeTo(clause["HOOK-8"]);
    const failedAgain = sentAt(await retried.waitForAttempt(1));
    // The server may set failing_since at a later failure (OPEN-76).
    const startAgain = async () => (await failingSince(api, subscription.id)) ?? undefined;
    const sinceAgain = (await poll(startAgain, LIST_POLLING)) ?? failedAgain * 1000;
    expectWithin(sinceAgain, failedAgain, failedAgain);
    context.attributeTo(clause["HOOK-9"]);
    subscription.inbox.respondWith(() => SUCCESS);
    // If the second attempt came before the list was read, the third attempt is the first that gets 2xx.
    await advanceClock(secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S]));
    await retried.waitForAttempt(2);
    await expectFailingSinceCleared(api, subscription.id, "a failed attempt whose retry got 2xx");
  },
});

/** Events that fail after the first, so that the target has processed all failures but the last. */
const FURTHER_EVENTS = 3;

// Needs no clock, so that it also tests a target whose clock can't be advanced.
const failingSinceOfSeveralEvents = check({
  id: "closing.failing-since-of-several-events",
  title: "failing_since stays the same while further events fail, and is null after an event that got 202",
  clauses: [clause["HOOK-8"], clause["HOOK-9"]],
  needs: ["receiver"],
  async run(context) {
    const { api } = context;
    const subscription = await subscribeToCreations(context, alwaysFailing);
    const { id } = subscription;
    const sendEvent = async () => (await sendCreationEvent(context)).waitForDelivery(subscription);
    context.attributeTo(clause["HOOK-8"]);
    await sendEvent();
    const since = await poll(async () => (await failingSince(api, id)) ?? undefined, LIST_POLLING);
    if (since === undefined) {
      context.note("failing_since isn't set by the first failed attempt, so not tested (OPEN-76)");
      return;
    }
    for (let sent = 0; sent < FURTHER_EVENTS; sent += 1) await sendEvent();
    const after = await failingSince(api, id);
    if (after !== since)
      throw new CheckFailure({
        subject: `failing_since after ${FURTHER_EVENTS} further events failed`,
        relation: "to be",
        expected: instantText(since),
        actual: instantText(after),
        note: "no event was accepted in between, so it must stay the start of the failures",
      });
    context.attributeTo(clause["HOOK-9"]);
    subscription.inbox.respondWith(() => answerWith(202));
    await sendEvent();
    await expectFailingSinceCleared(api, id, "an attempt that got 202");
  },
});

const failingSinceOfSilence = check({
  id: "closing.failing-since-of-silence",
  title: "failing_since is set for an endpoint that responds to no attempt in time",
  clauses: [clause["HOOK-8"], clause["RETRY-5"]],
  needs: ["receiver", "clock"],
  virtualSeconds: WHOLE_SCHEDULE_S + RETRY_DELAYS_S.length * RESPONSE_TIMEOUT_S,
  // The minimum: if the server sets failing_since at the first failure, the check doesn't wait for later
  // attempts.
  minRealSeconds: SILENCE_WAIT_S,
  async run(context) {
    const { api, advanceClock } = context;
    const sequence = await sendToNewEndpoint(context, () => SILENCE);
    const { subscription } = sequence;
    const first = await sequence.waitForAttempt(1);
    await advanceClock(RESPONSE_TIMEOUT_S + 1, { attemptsTimeOut: true });
    // A server may set failing_since at the last attempt (OPEN-76). Only on such a server does the check take this
    // long.
    const failingSinceAfterLast = async () => {
      await advanceClock(WHOLE_SCHEDULE_S + RETRY_DELAYS_S.length * RESPONSE_TIMEOUT_S, {
        attemptsTimeOut: true,
      });
      await sequence.waitForAttempt(8);
      await advanceClock(RESPONSE_TIMEOUT_S + 1, { attemptsTimeOut: true });
      return failingSinceOnceSet(api, subscription.id, "attempts without a response", first);
    };
    const since = (await failingSince(api, subscription.id)) ?? (await failingSinceAfterLast());
    expectWithin(since, sentAt(first), sentAt(sequence.attempts.at(-1) ?? first) + RESPONSE_TIMEOUT_S);
  },
});

export const closingFailuresChecks: readonly Check[] = [
  failingSinceOfErrors,
  failingSinceOfSeveralEvents,
  failingSinceOfSilence,
  ...fiveDaysChecks,
];
