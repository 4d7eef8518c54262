import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { subjectParts } from "../../../core/grading/failures/mismatch.ts";
import { type Check, type ContextFor, check } from "../../check.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import { answerWith, type Reaction } from "../../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { LATER_ATTEMPT_CLAUSES, SECOND_ATTEMPT_CLAUSE } from "../../support/webhooks/attempt-clauses.ts";
import { AttemptSequence, expectAttempts, SOON_MS } from "../../support/webhooks/attempt-sequence.ts";
import { sendToNewEndpoints } from "../../support/webhooks/creation-events.ts";
import { failingSinceOnceSet } from "../../support/webhooks/failing-since.ts";
import {
  FAILURE,
  SILENCE,
  SILENCE_TIMEOUT_S,
  SILENCE_WAIT_S,
  SUCCESS,
} from "../../support/webhooks/responses.ts";
import { ALL_ARRIVED_S, expectInTime, MAX_ATTEMPTS } from "../../support/webhooks/retry-gaps.ts";
import { trackOf } from "../../support/webhooks/retry-timeline.ts";
import { RETRY_DELAYS_S, secondsUntilRetry } from "../../support/webhooks/retry-times.ts";

type ClockContext = ContextFor<"receiver" | "clock">;

const ATTEMPT_CLAUSES = [SECOND_ATTEMPT_CLAUSE, ...LATER_ATTEMPT_CLAUSES] as const;

/** `failureOf` describes the failure of the attempt with a number, counted from 1. */
interface FailureMode {
  readonly name: string;
  readonly responder: Responder;
  readonly failureOf: (attempt: number) => string;
}

const always = (name: string, reaction: Reaction): FailureMode => ({
  name,
  responder: () => reaction,
  failureOf: () => name,
});

/**
 * Failures other than 5xx and timeouts. Each failure has its own endpoint, and an integrator has at most five
 * endpoints.
 */
const failureModes = (redirectUrl: string): readonly FailureMode[] => [
  always("a broken connection", { kind: "reset" }),
  always("a redirect", answerWith(302, { location: redirectUrl })),
  always("status 404", answerWith(404)),
];

/** The event kind that only the last endpoint gets: a positive control for the event that all endpoints get. */
const ALONE = "delivery.queued";

/**
 * Asserts that the last endpoint gets as many attempts of the event that fails at all endpoints as of an event
 * that only it gets. A server may send delivery.queued later, and so less often in the same time.
 */
async function expectOwnAttempts(context: ClockContext, sent: readonly AttemptSequence[]): Promise<void> {
  const last = sent.at(-1);
  if (!last || sent.length === 1) return;
  const alone = new AttemptSequence(last.subscription, last.deliveryId, context.now, ALONE);
  await last.subscription.inbox.arrives(() => last.attempts.length >= alone.attempts.length, SOON_MS);
  context.attributeTo(clause["RETRY-37"]);
  const counts = sent.map(({ attempts }) => attempts.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const note = `the ${sent.length} endpoints where it fails got ${counts.join(", ")} attempts, ${total} altogether; an event that only this endpoint gets was sent ${alone.attempts.length} times in the same time`;
  if (last.attempts.length >= alone.attempts.length) return;
  throw new WebhookFailure(
    {
      ...subjectParts({ field: "attempts", where: `of ${last.kind}${last.subscription.inbox.place}` }),
      relation: "to be at least",
      expected: alone.attempts.length,
      actual: last.attempts.length,
      note,
    },
    { attempts: last.attempts, kind: "absence" },
  );
}

/**
 * Sends an event to one endpoint for each failure mode, and asserts that all attempts have the specified times.
 * @param advanceSchedule advances the clock by the whole schedule
 */
async function expectWholeSchedule(
  context: ClockContext,
  modes: readonly FailureMode[],
  advanceSchedule: (sent: readonly AttemptSequence[]) => Promise<void>,
): Promise<void> {
  const sent = await sendToNewEndpoints(
    context,
    modes.map(({ responder }) => responder),
    modes.length > 1 ? ALONE : undefined,
  );
  const sequences = Object.fromEntries(
    modes.flatMap((mode, index) => {
      const sequence = sent[index];
      return sequence ? [[mode.name, { mode, sequence }]] : [];
    }),
  );
  context.timeline(() =>
    Object.entries(sequences).map(([name, { sequence }]) =>
      trackOf(`an event that always gets ${name}`, sequence, MAX_ATTEMPTS),
    ),
  );
  await advanceSchedule(sent);
  await expectOwnAttempts(context, sent);
  await context.each(casesFrom("kinds of failure", sequences), async ([name, { mode, sequence }]) => {
    for (const [index, attemptClause] of ATTEMPT_CLAUSES.entries()) {
      context.attributeTo(attemptClause);
      await expectInTime(sequence, index + 2, { failure: mode.failureOf(index + 1) });
    }
    context.attributeTo(clause["HOOK-8"]);
    const [first] = sequence.attempts;
    if (first)
      await failingSinceOnceSet(context.api, sequence.subscription.id, `attempts with ${name}`, first);
    context.attributeTo(clause["RETRY-23"]);
    sequence.subscription.inbox.respondWith(() => SUCCESS);
    await sequence.subscription.waitForSentinelEvent();
    context.attributeTo(clause["LIMIT-31"]);
    expectAttempts(sequence.attempts, MAX_ATTEMPTS, `an event that always got ${name}`);
  });
}

const everyKind = check({
  id: "retries.every-kind-of-failure",
  title:
    "an event is sent eight times to each endpoint, at the specified times, for each kind of failure, and failing_since is set",
  clauses: [clause["RETRY-37"], ...ATTEMPT_CLAUSES, clause["RETRY-23"], clause["LIMIT-31"], clause["HOOK-8"]],
  needs: ["receiver", "clock"],
  virtualSeconds: ALL_ARRIVED_S,
  run: (context) =>
    expectWholeSchedule(context, failureModes(context.inbox().url), () =>
      context.advanceClock(ALL_ARRIVED_S),
    ),
});

/** The numbers of the attempts that get no response. All others get an error. */
const SILENT_ATTEMPTS: readonly number[] = [3, 5, 7];

const errorsAndTimeouts: FailureMode = {
  name: "no response to its third, fifth and seventh attempt",
  responder: () => FAILURE,
  failureOf: (attempt) => (SILENT_ATTEMPTS.includes(attempt) ? "no response" : "an error"),
};

/**
 * Advances the clock step by step, so that the time of each timeout is known. Only attempts in the steps of the
 * silent attempts get no response: in other steps the clock waits half a minute for each response.
 */
async function advanceThroughTimeouts(
  { advanceClock }: ClockContext,
  sent: readonly AttemptSequence[],
): Promise<void> {
  let left = ALL_ARRIVED_S;
  for (const [index, delay] of RETRY_DELAYS_S.entries()) {
    const attemptsTimeOut = SILENT_ATTEMPTS.includes(index + 2);
    for (const { subscription } of sent)
      subscription.inbox.respondWith(() => (attemptsTimeOut ? SILENCE : FAILURE));
    const step = secondsUntilRetry(delay) + (attemptsTimeOut ? SILENCE_TIMEOUT_S : 0);
    await advanceClock(step, { attemptsTimeOut });
    left -= step;
  }
  await advanceClock(left);
}

// Separate from the other failures, because the clock must advance differently while attempts time out.
const lateSilences = check({
  id: "retries.late-silence",
  title:
    "an event whose third, fifth and seventh attempts get no response is sent eight times, at the specified times",
  clauses: [...ATTEMPT_CLAUSES, clause["RETRY-23"], clause["LIMIT-31"], clause["HOOK-8"]],
  needs: ["receiver", "clock"],
  virtualSeconds: ALL_ARRIVED_S,
  minRealSeconds: SILENT_ATTEMPTS.length * SILENCE_WAIT_S,
  run: (context) =>
    expectWholeSchedule(context, [errorsAndTimeouts], (sent) => advanceThroughTimeouts(context, sent)),
});

export const retriesFailuresChecks: readonly Check[] = [everyKind, lateSilences];
