import { clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { expectOfKind } from "../../../core/grading/expectations/expectation-kind.ts";
import { CheckFailure, CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import type { Reaction } from "../../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { numberIn } from "../../support/shown-values.ts";
import type { AttemptSequence } from "../../support/webhooks/attempt-sequence.ts";
import { DUPLICATE_WINDOW_S, sentAt } from "../../support/webhooks/attempt-times.ts";
import {
  sendCreationEvent,
  sendToNewEndpoint,
  subscribeToCreations,
} from "../../support/webhooks/creation-events.ts";
import { GONE, respondInTurn, SILENCE, SILENCE_WAIT_S, SUCCESS } from "../../support/webhooks/responses.ts";
import {
  gapBounds,
  RESPONSE_TIMEOUT_S,
  RETRY_DELAYS_S,
  secondsUntilRetry,
} from "../../support/webhooks/retry-times.ts";
import { isClosedSoon } from "../../support/webhooks/subscriptions.ts";

type ClockContext = ContextFor<"receiver" | "clock">;

const [ATTEMPT_2_DELAY_S] = RETRY_DELAYS_S;

/** The last whole second within the time limit of an attempt, and the first second beyond the limit. */
const WITHIN_S = RESPONSE_TIMEOUT_S - 1;
const BEYOND_S = RESPONSE_TIMEOUT_S + 1;
/**
 * A response before this time is certainly within the limit. If a busy machine responds later, the check tries
 * again with a response one second earlier.
 */
const SURELY_WITHIN_MS = RESPONSE_TIMEOUT_S * 1000 - 500;
const MAX_TRIES = 3;

/**
 * Milliseconds from before the attempt until the response was written, and until the target had read the
 * response.
 */
interface Timing {
  readonly answeredMs: number;
  readonly readMs: number;
}

const timingUncertain = () =>
  new CheckSkipped(
    `in ${MAX_TRIES} tries, it wasn't certain that the suite's response reached the target within ${RESPONSE_TIMEOUT_S} s`,
  );

/** A failure of these expectations may be excused by a disturbance that affects times. */
const expectTiming = (expectations: () => void): void => expectOfKind("time", expectations);

/** An endpoint that delays its response to an event's first attempt until `answer` is called. */
function delayedEndpoint(reaction: Reaction): { readonly responder: Responder; readonly answer: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { responder: respondInTurn({ kind: "hold", until: promise, reaction }), answer: resolve };
}

const unsubscribe = async ({ api }: ClockContext, { id }: Subscription): Promise<unknown> =>
  api.call("deleteWebhook", { path: { id } });

/**
 * Advances the clock to `seconds` after `startMs`, while every endpoint holds back its responses.
 * @returns the seconds by which the clock was advanced
 */
async function advanceUntil(
  { advanceClock, now }: ClockContext,
  startMs: number,
  seconds: number,
): Promise<number> {
  const remaining = Math.max(1, Math.floor(seconds - (now() - startMs) / 1000));
  await advanceClock(remaining, { attemptsTimeOut: true });
  return remaining;
}

/**
 * Advances the clock beyond an attempt's time limit, while every endpoint holds back its responses.
 * @param passedS the seconds that have certainly passed since the attempt
 */
const advanceBeyondLimit = ({ advanceClock }: ClockContext, passedS = 0): Promise<void> =>
  advanceClock(Math.max(1, BEYOND_S - passedS), { attemptsTimeOut: true });

/** Asserts that an attempt without a response timed out after 15 s, and that the next attempt followed. */
async function expectTimeout(sequence: AttemptSequence): Promise<void> {
  await sequence.waitForAttempt(2);
  const [first = 0, second = 0] = sequence.attempts.map(({ headers }) =>
    numberIn(headers["webhook-timestamp"], "webhook-timestamp"),
  );
  const maxSeconds = RESPONSE_TIMEOUT_S + gapBounds(ATTEMPT_2_DELAY_S).latest;
  const what = "seconds from an attempt without a response to the next";
  expectTiming(() => {
    expectThat(what, second - first).isAtLeast(RESPONSE_TIMEOUT_S - 1);
    expectThat(what, second - first).isAtMost(maxSeconds);
  });
}

/**
 * Further attempts, in seconds after the response. An attempt shortly before or after the response may be a
 * duplicate.
 */
function repeatsOf({ attempts }: AttemptSequence, { answeredMs }: Timing): readonly number[] {
  const [first = 0, ...more] = attempts.map(sentAt);
  const answeredAt = first + Math.ceil(answeredMs / 1000);
  return more.map((at) => at - answeredAt).filter((seconds) => Math.abs(seconds) > DUPLICATE_WINDOW_S);
}

/** Asserts that the target accepted the response, so that no attempt follows. */
async function expectAccepted(sequence: AttemptSequence, timing: Timing): Promise<void> {
  // Without this wait, a failure wouldn't show the first attempt.
  await sequence.waitForAttempt(1);
  const what = `times of further attempts (seconds after a response that took ${timing.answeredMs / 1000} s)`;
  expectTiming(() => expectThat(what, repeatsOf(sequence, timing)).isEmpty());
}

/**
 * Asserts that a late 410 within the time limit closes the endpoint. Reads the endpoint's status, because a
 * further attempt might be a duplicate.
 * @throws CheckSkipped if an immediate 410 doesn't close an endpoint
 */
async function expectClosedByLateGone(
  context: ClockContext,
  { subscription, attempts }: AttemptSequence,
  { answeredMs }: Timing,
): Promise<void> {
  if (await isClosedSoon(context.api, subscription.id)) return;
  await unsubscribe(context, subscription);
  const immediate = await sendToNewEndpoint(context, () => GONE);
  if (!(await isClosedSoon(context.api, immediate.subscription.id)))
    throw new CheckSkipped(
      "an immediate 410 doesn't close an endpoint of this target, so the effect of a late 410 can't be observed",
    );
  throw new WebhookFailure(
    {
      subject: `status of an endpoint that returned 410 ${(answeredMs / 1000).toFixed(1)} s after its attempt`,
      relation: "not to be",
      expected: "ACTIVE",
      actual: "ACTIVE",
      note: "an attempt may take 15 s, and an endpoint that returned 410 immediately was closed",
    },
    { attempts, kind: "time" },
  );
}

/**
 * Sends one event to endpoints that delay their responses.
 * @returns undefined if the event doesn't reach every endpoint
 */
async function sendToDelayed(
  context: ClockContext,
  endpoints: readonly [Subscription, Subscription, Subscription, Subscription],
) {
  const start = context.now();
  const event = await sendCreationEvent(context);
  try {
    const [inTime, tooLate, silent, closing] = endpoints;
    return {
      // The time before the event is sent, so that no attempt starts earlier.
      start,
      toInTime: await event.waitForDelivery(inTime),
      toClosing: await event.waitForDelivery(closing),
      toTooLate: await event.waitForDelivery(tooLate),
      toSilent: await event.waitForDelivery(silent),
    };
  } catch (error) {
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}

/**
 * Tests all endpoints concurrently.
 * @returns false if the event didn't reach every endpoint
 */
async function testConcurrently(context: ClockContext): Promise<boolean> {
  const { advanceClock, api, attributeTo, now } = context;
  const inTime = await subscribeToCreations(context, () => SUCCESS);
  const tooLate = await subscribeToCreations(context, () => SUCCESS);
  const silent = await subscribeToCreations(context, respondInTurn(SILENCE));
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const [within, beyond, gone] = [
      delayedEndpoint(SUCCESS),
      delayedEndpoint(SUCCESS),
      delayedEndpoint(GONE),
    ];
    inTime.inbox.respondWith(within.responder);
    tooLate.inbox.respondWith(beyond.responder);
    const closing = await subscribeToCreations(context, gone.responder);
    const sent = await sendToDelayed(context, [inTime, tooLate, silent, closing]);
    if (sent === undefined) {
      for (const { answer } of [within, beyond, gone]) answer();
      for (const endpoint of [inTime, tooLate, silent, closing]) await unsubscribe(context, endpoint);
      return false;
    }
    const { start, toInTime, toClosing, toTooLate, toSilent } = sent;
    const passedS = await advanceUntil(context, start, WITHIN_S - tries);
    within.answer();
    gone.answer();
    const answeredMs = now() - start;
    await inTime.waitForSentinelEvent();
    // The target sent the sentinel event later, so it has certainly read the response by now.
    const timing = { answeredMs, readMs: now() - start };
    await advanceBeyondLimit(context, passedS);
    beyond.answer();
    await advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    attributeTo(clause["RETRY-5"]);
    await toTooLate.waitForAttempt(2);
    await expectTimeout(toSilent);
    await inTime.waitForSentinelEvent();
    attributeTo(clause["RETRY-6"]);
    const isAccepted = async () =>
      repeatsOf(toInTime, timing).length === 0 && (await isClosedSoon(api, closing.id));
    if (answeredMs > SURELY_WITHIN_MS || (timing.readMs > SURELY_WITHIN_MS && !(await isAccepted()))) {
      await unsubscribe(context, closing);
      continue;
    }
    await expectAccepted(toInTime, timing);
    await expectClosedByLateGone(context, toClosing, timing);
    return true;
  }
  throw timingUncertain();
}

/** Delays the response to the first attempt at a new endpoint. */
async function delayOne(context: ClockContext, reaction: Reaction) {
  const { responder, answer } = delayedEndpoint(reaction);
  const start = context.now();
  const sequence = await sendToNewEndpoint(context, responder);
  return { sequence, start, answer };
}

/**
 * Tests the endpoints one after another, for a server that sends one webhook at a time: each attempt that waits
 * delays all other webhooks (OPEN-198).
 */
async function testSequentially(context: ClockContext): Promise<void> {
  const { advanceClock, api, attributeTo, now } = context;
  attributeTo(clause["RETRY-5"]);
  const silent = await sendToNewEndpoint(context, respondInTurn(SILENCE));
  await advanceBeyondLimit(context);
  await advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
  await expectTimeout(silent);
  await unsubscribe(context, silent.subscription);
  const lateResponse = await delayOne(context, SUCCESS);
  await advanceBeyondLimit(context);
  lateResponse.answer();
  await advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
  await lateResponse.sequence.waitForAttempt(2);
  attributeTo(clause["RETRY-6"]);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { sequence, start, answer } = await delayOne(context, GONE);
    await advanceUntil(context, start, WITHIN_S - tries);
    answer();
    const answeredMs = now() - start;
    await lateResponse.sequence.subscription.waitForSentinelEvent();
    const timing = { answeredMs, readMs: now() - start };
    const isSure = answeredMs <= SURELY_WITHIN_MS && timing.readMs <= SURELY_WITHIN_MS;
    if (isSure || (await isClosedSoon(api, sequence.subscription.id))) {
      await expectClosedByLateGone(context, sequence, timing);
      return;
    }
    await unsubscribe(context, sequence.subscription);
  }
  throw timingUncertain();
}

export const answerTime: Check = check({
  id: "endpoints.fifteen-seconds",
  title:
    "a response after 14 seconds counts, and one after 16 seconds, or none, is a failure that is retried",
  clauses: [clause["RETRY-5"], clause["RETRY-6"]],
  needs: ["receiver", "clock"],
  // If the server sends one webhook at a time, a waiting attempt delays all webhooks of the integrator.
  isolation: "own-integrator",
  virtualSeconds: (MAX_TRIES + 2) * (BEYOND_S + secondsUntilRetry(ATTEMPT_2_DELAY_S)),
  minRealSeconds: SILENCE_WAIT_S,
  async run(context) {
    // The suite learns from the first advance how the target's clock runs.
    await context.advanceClock(1);
    if (await testConcurrently(context)) return;
    await testSequentially(context);
  },
});
