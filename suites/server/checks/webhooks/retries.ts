import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant, pause } from "../../../core/clock.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { inUnits } from "../../../core/durations.ts";
import { ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { described } from "../../../core/text/shown-value.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import { type Attempt, deliveryOf, kindOf, webhookId } from "../../session/webhook-receiver/attempt.ts";
import { answerWith } from "../../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { expectFields } from "../../support/assertions.ts";
import { LATER_ATTEMPT_CLAUSES, SECOND_ATTEMPT_CLAUSE } from "../../support/webhooks/attempt-clauses.ts";
import { type AttemptSequence, expectEnded } from "../../support/webhooks/attempt-sequence.ts";
import {
  expectOwnTimestamp,
  isProbablySecond,
  secondsAfterEvent,
  sentAt,
  withoutDuplicates,
} from "../../support/webhooks/attempt-times.ts";
import {
  sendCreationEvent,
  sendToNewEndpoint,
  subscribeToCreations,
} from "../../support/webhooks/creation-events.ts";
import { expectFullDelivery } from "../../support/webhooks/delivery-events.ts";
import {
  alwaysFailing,
  FAILURE,
  respondInTurn,
  SILENCE,
  SILENCE_TIMEOUT_S,
  SILENCE_WAIT_S,
  SUCCESS,
} from "../../support/webhooks/responses.ts";
import { expectInTime } from "../../support/webhooks/retry-gaps.ts";
import { trackOf } from "../../support/webhooks/retry-timeline.ts";
import {
  gapBounds,
  RETRY_DELAYS_S,
  secondsUntilLastRetry,
  secondsUntilRetry,
} from "../../support/webhooks/retry-times.ts";
import { expectHeaderForms, expectSigned } from "../../support/webhooks/webhook-signatures.ts";
import { retriesFailuresChecks } from "./retries-failures.ts";
import { retriesPendingChecks } from "./retries-pending.ts";

const [ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S] = RETRY_DELAYS_S;
/** The delay that a ninth attempt would have. */
const NINTH_DELAY_S = 36_000;
const WHOLE_SCHEDULE_S = secondsUntilLastRetry(RETRY_DELAYS_S);

const duration = (seconds: number): string => {
  const hours = Math.floor(seconds / 3600);
  const rest = `${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return `${hours}:${rest}`;
};

/**
 * The first attempt of one event may be lost. If this many further events also arrive five seconds late, the
 * server makes no first attempts.
 */
const FURTHER_EVENTS = 4;
/**
 * The time between the further events. A server that polls for new events finds each event after a different
 * delay.
 */
const EVENT_INTERVAL_MS = 1_300;

async function expectFirstAttempts(
  context: ContextFor<"receiver">,
  sequence: AttemptSequence,
): Promise<void> {
  const further = Array.from({ length: FURTHER_EVENTS }, async (_, index) => {
    await pause(index * EVENT_INTERVAL_MS);
    return (await sendCreationEvent(context)).waitForDelivery(sequence.subscription);
  });
  const sequences = [sequence, ...(await Promise.all(further))];
  const attempts = sequences.flatMap(({ attempts }) => attempts.slice(0, 1));
  const isSecond = (attempt: Attempt) =>
    isProbablySecond(attempt) && secondsAfterEvent(attempt) <= gapBounds(ATTEMPT_2_DELAY_S).latest;
  if (!attempts.every(isSecond)) return;
  throw new WebhookFailure(
    {
      subject: `the timestamps of the first attempts of ${attempts.length} events`,
      relation: "to be",
      expected: described("those of the events"),
      actual: attempts.map((attempt) =>
        described(`${Math.round(secondsAfterEvent(attempt))} s after the event`),
      ),
      note: `each has the timestamp of the event's second attempt, ${ATTEMPT_2_DELAY_S} s after the event, so the first attempt is missing`,
    },
    { attempts, kind: "time" },
  );
}

const firstImmediately = check({
  id: "retries.first-immediately",
  title: "the first attempt of an event arrives within seconds of the change that it reports",
  clauses: [clause["RETRY-9"]],
  needs: ["receiver"],
  async run(context) {
    const sequence = await sendToNewEndpoint(context, respondInTurn());
    expectThat("attempts of an accepted event", sequence.attempts).hasLength(1);
    if (sequence.attempts.some(isProbablySecond)) await expectFirstAttempts(context, sequence);
  },
});

const schedule = check({
  id: "retries.schedule",
  title:
    "an event that always fails is sent exactly eight times, at the specified times, each time with its id, a time in Unix seconds, a valid signature and the registered url",
  clauses: [
    SECOND_ATTEMPT_CLAUSE,
    ...LATER_ATTEMPT_CLAUSES,
    clause["LIMIT-31"],
    clause["RETRY-23"],
    clause["EVENT-35"],
    clause["EVENT-51"],
    clause["EVENT-55"],
    clause["RETRY-31"],
    clause["SIGN-5"],
  ],
  needs: ["receiver", "clock"],
  virtualSeconds: WHOLE_SCHEDULE_S + secondsUntilRetry(NINTH_DELAY_S),
  run: expectSchedule,
});

async function expectSchedule(context: ContextFor<"receiver" | "clock">): Promise<void> {
  const sequence = await sendToNewEndpoint(context, alwaysFailing, { query: QUERY });
  context.timeline(() => [trackOf("an event that always fails", sequence, RETRY_DELAYS_S.length + 1)]);
  context.attributeTo(SECOND_ATTEMPT_CLAUSE);
  const first = await sequence.waitForAttempt(1);
  expectThat("webhook-timestamp, in Unix seconds", first.headers["webhook-timestamp"]).matches(/^\d{1,11}$/);
  const noteAttempt = (number: number, atS: number) => {
    const since = duration(atS - sentAt(first));
    context.note(`attempt ${number} at ${isoInstant(atS * 1000)}, ${since} after the first`);
  };
  noteAttempt(1, sentAt(first));
  noteAttempt(2, sentAt(await sequence.expectNext(context, ATTEMPT_2_DELAY_S)));
  for (const [index, delay] of RETRY_DELAYS_S.slice(1).entries()) {
    context.attributeTo(LATER_ATTEMPT_CLAUSES[index] ?? SECOND_ATTEMPT_CLAUSE);
    await sequence.expectQuiet(context, delay);
    const next = await sequence.expectNext(context, delay);
    noteAttempt(sequence.attempts.length, sentAt(next));
  }
  context.attributeTo(clause["RETRY-23"]);
  await context.advanceClock(secondsUntilRetry(NINTH_DELAY_S));
  sequence.subscription.inbox.respondWith(() => SUCCESS);
  // Shows that the endpoint is still open.
  await sequence.subscription.waitForSentinelEvent();
  context.attributeTo(clause["LIMIT-31"]);
  expectThat("attempts of an event that always fails", sequence.attempts).hasLength(8);
  expectGenuine(context, sequence);
}

/** The query of the registered URL. Every attempt must have it. */
const QUERY = "?kitchen=2";

/** The fields of an open order that no service changes by itself. */
const ORDER_FIELDS = [
  "external_ref",
  "store_id",
  "customer",
  "items",
  "notes",
  "package_count",
  "prepaid",
] as const;

const orderIn = (attempt: Attempt | undefined): Record<string, unknown> => {
  const delivery = attempt && deliveryOf(attempt);
  return Object.fromEntries(ORDER_FIELDS.map((field) => [field, delivery?.[field] ?? null]));
};

/**
 * Asserts that all attempts so far have one webhook-id, the registered URL's query, valid headers, and the full
 * delivery with the same order.
 */
function expectGenuine(
  { attributeTo }: Pick<ContextFor<"receiver">, "attributeTo">,
  { includes, subscription: { inbox, secret } }: AttemptSequence,
): void {
  const attempts = inbox.attempts.filter(includes);
  attributeTo(clause["EVENT-35"]);
  expectThat("webhook-ids of one event", [...new Set(attempts.map(webhookId))]).hasLength(1);
  attributeTo(clause["RETRY-31"]);
  const queries = attempts.map(({ url }) => new URL(url, inbox.url).search);
  expectThat("the queries of the attempts' URLs", [...new Set(queries)]).is([QUERY]);
  attributeTo(clause["EVENT-51"]);
  expectHeaderForms(inbox, attempts);
  attributeTo(clause["EVENT-55"]);
  for (const [index, attempt] of withoutDuplicates(attempts).entries()) {
    inbox.markAsEvidence(attempt);
    expectFullDelivery(attempt, `attempt ${index + 1} of ${kindOf(attempts[0] ?? attempt)}`);
    expectFields(orderIn(attempt), orderIn(attempts[0]), "the order in the data of a retry");
  }
  attributeTo(clause["SIGN-5"]);
  expectSigned(attempts, secret);
}

const genuineRetries = check({
  id: "retries.each-is-genuine",
  title:
    "a retry has the event's webhook-id, its own timestamp, a signature over both, and the registered url",
  clauses: [
    clause["EVENT-35"],
    clause["EVENT-38"],
    clause["EVENT-51"],
    clause["EVENT-55"],
    clause["SIGN-5"],
    clause["RETRY-31"],
  ],
  needs: ["receiver", "clock"],
  virtualSeconds:
    SILENCE_TIMEOUT_S + secondsUntilLastRetry([ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S]),
  minRealSeconds: SILENCE_WAIT_S,
  async run(context) {
    const { advanceClock, attributeTo, now } = context;
    // The second attempt times out, so that the third attempt follows another kind of failure than the second.
    const sequence = await sendToNewEndpoint(context, alwaysFailing, { query: QUERY });
    context.timeline(() => [trackOf("an event that always fails", sequence, 4)]);
    const { inbox } = sequence.subscription;
    const attempts = () => inbox.attempts.filter(sequence.includes);
    for (const delay of [ATTEMPT_2_DELAY_S, ATTEMPT_3_DELAY_S, ATTEMPT_4_DELAY_S]) {
      const attemptsTimeOut = delay === ATTEMPT_2_DELAY_S;
      const earlierCount = attempts().length;
      const from = now() / 1000;
      inbox.respondWith(() => (attemptsTimeOut ? SILENCE : FAILURE));
      await advanceClock(secondsUntilRetry(delay) + (attemptsTimeOut ? SILENCE_TIMEOUT_S : 0), {
        attemptsTimeOut,
      });
      if (!(await inbox.arrives(() => attempts().length > earlierCount)))
        throw new CheckSkipped(
          `no attempt came ${inUnits(delay)} after the previous one, so it is unknown whether it is genuine`,
        );
      attributeTo(clause["EVENT-38"]);
      for (const retry of attempts().slice(earlierCount)) {
        expectOwnTimestamp(retry, attempts().slice(0, earlierCount), { from, to: now() / 1000 });
      }
    }
    expectGenuine(context, sequence);
  },
});

const secondAttempts = check({
  id: "retries.second-attempts",
  title:
    "each event that failed at two endpoints is sent again to both after 5 seconds, with its id, a valid signature and the registered url, although a third endpoint has been deleted",
  clauses: [
    SECOND_ATTEMPT_CLAUSE,
    clause["EVENT-35"],
    clause["EVENT-51"],
    clause["EVENT-55"],
    clause["RETRY-31"],
    clause["SIGN-5"],
  ],
  needs: ["receiver", "clock"],
  // Short enough for the default of --max-wait, so that retries are verified without a control interface, too.
  virtualSeconds: secondsUntilRetry(ATTEMPT_2_DELAY_S),
  async run(context) {
    const subscribeFailing = (status: number) =>
      subscribeToCreations(context, () => answerWith(status), { query: QUERY });
    const kept = {
      "the first endpoint": { status: 500, subscription: await subscribeFailing(500) },
      "the second endpoint": { status: 404, subscription: await subscribeFailing(404) },
    };
    const deleted = await subscribeFailing(500);
    const sequences: Record<string, { readonly status: number; readonly sequence: AttemptSequence }> = {};
    for (const number of ["first", "second"]) {
      const event = await sendCreationEvent(context);
      await event.waitForDelivery(deleted);
      for (const [name, { status, subscription }] of Object.entries(kept)) {
        const sequence = await event.waitForDelivery(subscription);
        sequences[`the ${number} event at ${name}`] = { status, sequence };
      }
    }
    context.timeline(() =>
      Object.entries(sequences).map(([name, { sequence }]) => trackOf(name, sequence, 2)),
    );
    (await context.api.call("deleteWebhook", { path: { id: deleted.id } })).expectSuccess();
    await context.advanceClock(secondsUntilRetry(ATTEMPT_2_DELAY_S));
    const arrived: string[] = [];
    for (const [name, { status, sequence }] of Object.entries(sequences)) {
      context.attributeTo(SECOND_ATTEMPT_CLAUSE);
      const others =
        arrived.length > 0
          ? `attempt 2 has arrived of ${arrived.join(" and of ")}`
          : "two events had failed at each, and a third endpoint was deleted before";
      const meanwhile = `this was ${name}; ${others}`;
      await expectInTime(sequence, 2, { failure: `the status ${status}`, meanwhile });
      arrived.push(`${name} (answered ${status})`);
      expectGenuine(context, sequence);
    }
  },
});

const endsWithSuccess = check({
  id: "retries.end-with-success",
  title: "a success at any attempt ends an event's schedule",
  clauses: [clause["RETRY-17"]],
  needs: ["receiver", "clock"],
  virtualSeconds: 2 * WHOLE_SCHEDULE_S,
  async run(context) {
    const failing = (attempts: number) => respondInTurn(...Array.from({ length: attempts }, () => FAILURE));
    const sequences = new Map<number, AttemptSequence>();
    context.timeline(() =>
      [...sequences].map(([attempt, sequence]) =>
        trackOf(`an event that is accepted at attempt ${attempt}`, sequence, attempt),
      ),
    );
    const subscriptions = await Promise.all(
      [1, 2, 3].map(() => subscribeToCreations(context, () => SUCCESS)),
    );
    // Tests the later attempts with further events, because an integrator has only five endpoints.
    for (const skipped of [0, subscriptions.length]) {
      const accepted = elementsOf("attempts-between-first-and-last").map(Number).slice(skipped);
      subscriptions.forEach(({ inbox }, index) => {
        inbox.respondWith(failing((accepted[index] ?? 1) - 1));
      });
      const event = await sendCreationEvent(context);
      for (const [index, subscription] of subscriptions.entries()) {
        sequences.set(accepted[index] ?? 1, await event.waitForDelivery(subscription));
      }
      await context.advanceClock(WHOLE_SCHEDULE_S);
      for (const subscription of subscriptions) await subscription.waitForSentinelEvent();
    }
    await context.each(ofSet("attempts-between-first-and-last"), (attempt) => {
      const expected = Number(attempt);
      expectEnded(
        sequences.get(expected)?.attempts ?? [],
        expected,
        `the event that was accepted at attempt ${expected}`,
      );
    });
  },
});

export const retriesChecks: readonly Check[] = [
  firstImmediately,
  schedule,
  genuineRetries,
  secondAttempts,
  endsWithSuccess,
  ...retriesPendingChecks,
  ...retriesFailuresChecks,
];
