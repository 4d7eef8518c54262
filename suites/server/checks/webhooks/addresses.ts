import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { NotTestable } from "../../../core/grading/failure.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import { answerWith, type Reaction } from "../../session/webhook-receiver/reaction.ts";
import {
  alwaysFailing,
  DUPLICATE_WINDOW_S,
  gapBounds,
  latestAfter,
  latestAfterAll,
  RETRY_DELAYS_S,
  respondInTurn,
  SUCCESS,
  sendCreationEvent,
  sendToAll,
  sentAt,
  subscribeToCreations,
} from "../../support/retry-schedule.ts";
import { type Check, check } from "../define.ts";

const [SECOND, THIRD] = RETRY_DELAYS_S;

/** An answer that comes later than this is none (Events, Delivery, retry and closing). */
const PATIENCE_S = 15;
/** The last whole second within it, the first beyond it, … */
const WITHIN_S = PATIENCE_S - 1;
const BEYOND_S = PATIENCE_S + 1;
/** … what an answer may be under way, and how often it is tried where a busy machine takes longer. */
const MARGIN_MS = 500;
const MOST_TRIES = 3;

/** Each reaction is one address's to the first attempt: the event has to come there once more, and is taken then. */
const repeated = (
  reactions: readonly Reaction[],
  metadata: Pick<Check, "id" | "title" | "clauses" | "mutants">,
): Check =>
  check({
    ...metadata,
    needs: ["receiver", "clock"],
    waits: latestAfter(SECOND),
    async run(context) {
      const sequences = await sendToAll(
        context,
        reactions.map((reaction) => respondInTurn(reaction)),
      );
      await context.advanceClock(latestAfter(SECOND));
      for (const sequence of sequences) await sequence.waitForAttempt(2);
    },
  });

const serverErrors = repeated([answerWith(500), answerWith(502), answerWith(503), answerWith(504)], {
  id: "addresses.server-errors",
  title: "an attempt that is answered 5xx is repeated",
  clauses: [clause["RETRY-1"]],
  mutants: ["unavailable-is-final", "server-errors-are-successes"],
});

const clientErrors = repeated([answerWith(400), answerWith(401), answerWith(404), answerWith(429)], {
  id: "addresses.client-errors",
  title: "an attempt that is answered 4xx, 410 aside, is repeated",
  clauses: [clause["RETRY-2"]],
  mutants: ["client-errors-are-final", "unauthorized-is-final"],
});

const brokenConnections = repeated([{ kind: "reset" }], {
  id: "addresses.broken-connections",
  title: "an attempt whose connection breaks before an answer is repeated",
  clauses: [clause["RETRY-7"]],
  mutants: ["broken-connection-is-final"],
});

const redirects = check({
  id: "addresses.redirects",
  title: "a redirect isn't followed, and counts as a failure",
  clauses: [clause["RETRY-3"], clause["RETRY-4"]],
  needs: ["receiver", "clock"],
  waits: latestAfter(SECOND),
  mutants: [
    "redirects-are-successes",
    "not-modified-is-a-success",
    "redirect-is-followed",
    "redirect-is-tried",
  ],
  async run(context) {
    const elsewhere = context.inbox();
    const redirect = (status: number) => respondInTurn(answerWith(status, { location: elsewhere.url }));
    const sequences = await sendToAll(context, [301, 302, 304, 307, 308].map(redirect));
    await context.advanceClock(latestAfter(SECOND));
    for (const sequence of sequences) await sequence.waitForAttempt(2);
    expect(elsewhere.attempts, "what arrived where the redirects point").toEqual([]);
  },
});

/** An address whose first attempt of an event waits for its answer until it is told to give one. */
function holdingAddress(): { readonly responder: Responder; readonly answer: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { responder: respondInTurn({ kind: "hold", until: promise, reaction: SUCCESS }), answer: resolve };
}

const fifteenSeconds = check({
  id: "addresses.fifteen-seconds",
  title:
    "an answer after 14 seconds is taken; one after 16, and silence, is a failure, and the next attempt comes",
  clauses: [clause["RETRY-5"], clause["RETRY-6"]],
  needs: ["receiver", "clock"],
  waits: MOST_TRIES * (BEYOND_S + latestAfter(SECOND)),
  mutants: ["waits-17-seconds", "gives-up-after-13-seconds", "waits-a-minute", "silence-is-final"],
  async run(context) {
    const { advanceClock, now } = context;
    const inTime = await subscribeToCreations(context, () => SUCCESS);
    const tooLate = await subscribeToCreations(context, () => SUCCESS);
    const silent = await subscribeToCreations(context, respondInTurn({ kind: "silent" }));
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const [within, beyond] = [holdingAddress(), holdingAddress()];
      inTime.inbox.respondWith(within.responder);
      tooLate.inbox.respondWith(beyond.responder);
      // No attempt begins before this, whatever it takes to arrive, …
      const start = now();
      const event = await sendCreationEvent(context);
      const toInTime = await event.waitForDelivery(inTime);
      const toTooLate = await event.waitForDelivery(tooLate);
      const toSilent = await event.waitForDelivery(silent);
      // … and none after this.
      const arrived = now();
      await advanceClock(Math.max(1, Math.floor(WITHIN_S - (now() - start) / 1000)));
      within.answer();
      const taken = now() - start;
      await inTime.fence();
      await advanceClock(Math.max(1, Math.ceil(BEYOND_S - (now() - arrived) / 1000)));
      beyond.answer();
      await advanceClock(latestAfter(SECOND));
      await toTooLate.waitForAttempt(2);
      await toSilent.waitForAttempt(2);
      const [first, second] = toSilent.attempts.map(sentAt);
      const gap = Number(second) - Number(first);
      expect(gap, "seconds from a silent attempt to the next").toBeGreaterThanOrEqual(PATIENCE_S - 1);
      expect(gap, "seconds from a silent attempt to the next").toBeLessThanOrEqual(
        PATIENCE_S + gapBounds(SECOND).latest,
      );
      await inTime.fence();
      if (taken > PATIENCE_S * 1000 - MARGIN_MS) continue;
      // Events may arrive more than once: what comes just after the answer is a copy.
      const answeredAt = sentAt(await toInTime.waitForAttempt(1)) + Math.ceil(taken / 1000);
      const more = toInTime.attempts.slice(1).map((attempt) => sentAt(attempt) - answeredAt);
      const repeats = more.filter((seconds) => Math.abs(seconds) > DUPLICATE_WINDOW_S);
      expect(repeats, `attempts where the answer came ${taken / 1000} s later, in seconds after it`).toEqual(
        [],
      );
      return;
    }
    throw new NotTestable(`the target takes so long that no answer was there within ${PATIENCE_S} s`);
  },
});

const successes = check({
  id: "addresses.successes",
  title: "any 2xx answer is a success, whatever its body: the event isn't sent again",
  clauses: [clause["RETRY-8"]],
  needs: ["receiver", "clock"],
  waits: latestAfterAll([SECOND, THIRD]),
  mutants: ["only-200-is-a-success", "accepted-is-no-success", "success-without-a-body-is-none"],
  async run(context) {
    const page = `<p>${"Teşekkürler! ".repeat(300)}</p>`;
    const sequences = await sendToAll(
      context,
      [answerWith(200), { ...answerWith(201), body: page }, answerWith(202), answerWith(204)].map(
        (taken) => () => taken,
      ),
    );
    await context.advanceClock(latestAfterAll([SECOND, THIRD]));
    for (const { subscription } of sequences) await subscription.fence();
    expect(sequences.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
  },
});

const apart = check({
  id: "addresses.apart",
  title: "an event that fails at one address is repeated there, and not at another that took it",
  clauses: [clause["RETRY-18"]],
  needs: ["receiver", "clock"],
  waits: latestAfterAll([SECOND, THIRD]),
  mutants: ["retry-goes-to-every-address"],
  async run(context) {
    const taking = await subscribeToCreations(context, respondInTurn());
    const refusing = await subscribeToCreations(context, alwaysFailing);
    const event = await sendCreationEvent(context);
    const taken = await event.waitForDelivery(taking);
    const refused = await event.waitForDelivery(refusing);
    await context.advanceClock(latestAfterAll([SECOND, THIRD]));
    await refused.waitForAttempt(3);
    await taking.fence();
    expect(taken.attempts, "attempts where the event was taken").toHaveLength(1);
  },
});

export const addressesChecks: readonly Check[] = [
  serverErrors,
  clientErrors,
  brokenConnections,
  redirects,
  fifteenSeconds,
  successes,
  apart,
];
