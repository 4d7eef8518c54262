import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { ofSet, type Several, several } from "../../../core/grading/each-element.ts";
import { NotTestable } from "../../../core/grading/failure.ts";
import type { ContextFor } from "../../check.ts";
import type { Api } from "../../session/api.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { deliveryOf, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import { answerWith, type Reaction } from "../../session/webhook-receiver/reaction.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { DUPLICATE_WINDOW_S, isProbablySecond, sentAt } from "../../support/attempt-times.ts";
import {
  type AttemptSequence,
  alwaysFailing,
  expectEnded,
  expectTwinRepeated,
  GONE,
  gapBounds,
  latestAfter,
  latestAfterAll,
  PATIENCE_S,
  RETRY_DELAYS_S,
  respondInTurn,
  SILENCE,
  SUCCESS,
  sendCreationEvent,
  sendToOne,
  subscribeToCreations,
} from "../../support/retry-schedule.ts";
import { numberIn } from "../../support/shown-values.ts";
import { isClosedSoon } from "../../support/subscriptions.ts";
import { type Check, check } from "../define.ts";

const [SECOND, THIRD, FOURTH] = RETRY_DELAYS_S;

/** The last whole second within an attempt's time, the first beyond it, … */
const WITHIN_S = PATIENCE_S - 1;
const BEYOND_S = PATIENCE_S + 1;
/** … how near to the end an answer is surely there yet, and how often, a second earlier each time, a busy machine is tried. */
const SURELY_WITHIN_MS = PATIENCE_S * 1000 - 500;
const MOST_TRIES = 3;

/** An integrator has as many addresses (LIMIT-14): each is one reaction's at a time. */
const AT_ONCE = 5;

const secondsOfRounds = (reactions: readonly unknown[]): number =>
  Math.ceil(reactions.length / AT_ONCE) * latestAfter(SECOND);

/** A first attempt that is lost on its way has the second taken for it: another event is sent then, so often at most. */
const MOST_EVENTS = 3;

/** Sends an event to addresses, and where an attempt of it was lost on its way another one. */
async function sendWithoutLoss(
  context: ContextFor<"receiver">,
  subscriptions: readonly Subscription[],
): Promise<readonly AttemptSequence[]> {
  for (let events = 1; ; events += 1) {
    const event = await sendCreationEvent(context);
    const sequences = await Promise.all(subscriptions.map((address) => event.waitForDelivery(address)));
    const firsts = sequences.flatMap(({ attempts }) => attempts.slice(0, 1));
    if (events === MOST_EVENTS || !firsts.some(isProbablySecond)) return sequences;
  }
}

/** Lets addresses react so to the first attempt of an event, in rounds: each event has to come there once more, and is taken then. */
async function expectRepeated<Kind>(
  context: ContextFor<"receiver" | "clock">,
  kinds: Several<Kind>,
  reactionOf: (kind: Kind) => Reaction,
  reasonOf: (kind: Kind, sequence: AttemptSequence) => WebhookFailure | undefined = () => undefined,
): Promise<void> {
  const subscriptions = await Promise.all(
    kinds.elements.slice(0, AT_ONCE).map(() => subscribeToCreations(context, () => SUCCESS)),
  );
  const sequences = new Map<Kind, AttemptSequence>();
  const repeatOf = async (kind: Kind) => {
    const sequence = sequences.get(kind);
    await sequence?.waitForAttempt(2, undefined, () => reasonOf(kind, sequence));
  };
  await context.each(kinds, repeatOf, {
    atOnce: AT_ONCE,
    before: async (round) => {
      const reacting = round.flatMap((kind, index) => {
        const subscription = subscriptions[index];
        subscription?.inbox.respondWith(respondInTurn(reactionOf(kind)));
        return subscription ? { kind, subscription } : [];
      });
      const addresses = reacting.map(({ subscription }) => subscription);
      const sent = await sendWithoutLoss(context, addresses);
      for (const [index, { kind }] of reacting.entries()) {
        const sequence = sent[index];
        if (sequence) sequences.set(kind, sequence);
      }
      await context.advanceClock(latestAfter(SECOND));
    },
  });
}

const repeatedAfter = (
  set: "statuses-of-a-server-error" | "statuses-of-a-refusal",
  metadata: Pick<Check, "id" | "title" | "clauses" | "mutants">,
): Check =>
  check({
    ...metadata,
    needs: ["receiver", "clock"],
    waits: secondsOfRounds(elementsOf(set)),
    run: (context) => expectRepeated(context, ofSet(set), (status) => answerWith(Number(status))),
  });

const serverErrors = repeatedAfter("statuses-of-a-server-error", {
  id: "addresses.server-errors",
  title: "an attempt that is answered 5xx is repeated",
  clauses: [clause["RETRY-1"]],
  mutants: [
    "unavailable-is-final",
    "server-errors-are-successes",
    ...elementsOf("statuses-of-a-server-error").map((status) => `${status}-counts-as-taken` as const),
  ],
});

const clientErrors = repeatedAfter("statuses-of-a-refusal", {
  id: "addresses.client-errors",
  title: "an attempt that is answered 4xx, 410 aside, is repeated",
  clauses: [clause["RETRY-2"]],
  mutants: [
    "client-errors-are-final",
    "unauthorized-is-final",
    ...elementsOf("statuses-of-a-refusal").map((status) => `${status}-counts-as-taken` as const),
  ],
});

const brokenConnections = check({
  id: "addresses.broken-connections",
  title: "an attempt whose connection breaks before an answer is repeated",
  clauses: [clause["RETRY-7"]],
  needs: ["receiver", "clock"],
  waits: latestAfter(SECOND),
  mutants: ["broken-connection-is-final"],
  run: (context) =>
    expectRepeated(context, several("ways to break a connection", ["a reset"]), () => ({ kind: "reset" })),
});

const redirects = check({
  id: "addresses.redirects",
  title: "a redirect isn't followed, and counts as a failure",
  clauses: [clause["RETRY-3"], clause["RETRY-4"]],
  needs: ["receiver", "clock"],
  waits: secondsOfRounds(elementsOf("statuses-that-lead-elsewhere")),
  mutants: [
    "redirects-are-successes",
    "not-modified-is-a-success",
    "redirect-is-followed",
    "redirect-is-tried",
    ...elementsOf("statuses-that-lead-elsewhere").map((status) => `${status}-counts-as-taken` as const),
  ],
  async run(context) {
    const elsewhere = context.inbox();
    const placeOf = (status: string) => `?from=${status}`;
    await expectRepeated(
      context,
      ofSet("statuses-that-lead-elsewhere"),
      (status) => answerWith(Number(status), { location: `${elsewhere.url}${placeOf(status)}` }),
      (status, sequence) => {
        const followed = elsewhere.attempts.filter(({ url }) => url.endsWith(placeOf(status)));
        if (followed.length === 0) return undefined;
        return new WebhookFailure(
          `the redirect ${status} was followed: a request came to where it points, and the event wasn't repeated at its address`,
          {
            expected: "attempt 2 at the address itself",
            actual: `a request to where ${status} points`,
            attempts: sequence.attempts,
          },
        );
      },
    );
    expect(elsewhere.attempts.map(kindOf), "what arrived where the redirects point").toEqual([]);
  },
});

/** An address whose first attempt of an event waits for its answer until it is told to give it. */
function holdingAddress(reaction: Reaction): { readonly responder: Responder; readonly answer: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { responder: respondInTurn({ kind: "hold", until: promise, reaction }), answer: resolve };
}

/**
 * Asserts that a 410 was taken that came late and in time: its address is closed. A repeat shows less of that: some
 * seconds after the answer it looks like a copy.
 * @param heardAtOnce an address that answered 410 without delay
 * @throws NotTestable where that isn't closed either
 */
async function expectGoneTaken(
  api: Api,
  sequence: AttemptSequence,
  heardAtOnce: Subscription,
  afterMs: number,
): Promise<void> {
  if (await isClosedSoon(api, sequence.subscription.id)) return;
  if (!(await isClosedSoon(api, heardAtOnce.id)))
    throw new NotTestable(
      "410 closes no address here, so nothing shows whether one that comes late is taken",
    );
  const late = `${(afterMs / 1000).toFixed(1)} s after its attempt`;
  throw new WebhookFailure(
    `an answer ${late} wasn't taken: the address that answered 410 then is still ACTIVE, and one that answered 410 at once was closed`,
    {
      expected: "the address closed: an attempt may take 15 s",
      actual: `ACTIVE, after ${sequence.attempts.length} attempts of the event`,
      attempts: sequence.attempts,
    },
  );
}

const fifteenSeconds = check({
  id: "addresses.fifteen-seconds",
  title:
    "an answer after 14 seconds is taken; one after 16, and silence, is a failure, and the next attempt comes",
  clauses: [clause["RETRY-5"], clause["RETRY-6"]],
  needs: ["receiver", "clock"],
  waits: MOST_TRIES * (BEYOND_S + latestAfter(SECOND)),
  mutants: [
    "waits-17-seconds",
    "waits-20-seconds",
    "waits-a-minute",
    "gives-up-after-10-seconds",
    "gives-up-after-13-seconds",
    "silence-is-final",
  ],
  async run(context) {
    const { advanceClock, api, at, now } = context;
    const inTime = await subscribeToCreations(context, () => SUCCESS);
    const tooLate = await subscribeToCreations(context, () => SUCCESS);
    const silent = await subscribeToCreations(context, respondInTurn(SILENCE));
    const gone = await subscribeToCreations(context, () => GONE);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const [within, beyond] = [holdingAddress(SUCCESS), holdingAddress(SUCCESS)];
      const leaving = holdingAddress(GONE);
      inTime.inbox.respondWith(within.responder);
      tooLate.inbox.respondWith(beyond.responder);
      const left = await subscribeToCreations(context, leaving.responder);
      // No attempt begins before this, whatever it takes to arrive, …
      const start = now();
      const event = await sendCreationEvent(context);
      const toInTime = await event.waitForDelivery(inTime);
      const toLeft = await event.waitForDelivery(left);
      const toTooLate = await event.waitForDelivery(tooLate);
      const toSilent = await event.waitForDelivery(silent);
      // … and none after this.
      const arrived = now();
      await advanceClock(Math.max(1, Math.floor(WITHIN_S - tries - (now() - start) / 1000)));
      within.answer();
      leaving.answer();
      const taken = now() - start;
      await inTime.fence();
      // The answer was written before, and may have waited for a busy machine: by now the target has read it.
      const heard = now() - start;
      await advanceClock(Math.max(1, Math.ceil(BEYOND_S - (now() - arrived) / 1000)));
      beyond.answer();
      await advanceClock(latestAfter(SECOND));
      at(clause["RETRY-5"]);
      await toTooLate.waitForAttempt(2);
      await toSilent.waitForAttempt(2);
      const [first = 0, second = 0] = toSilent.attempts.map(({ headers }) =>
        numberIn(headers["webhook-timestamp"], "webhook-timestamp"),
      );
      const gap = second - first;
      expect(gap, "seconds from a silent attempt to the next").toBeGreaterThanOrEqual(PATIENCE_S - 1);
      expect(gap, "seconds from a silent attempt to the next").toBeLessThanOrEqual(
        PATIENCE_S + gapBounds(SECOND).latest,
      );
      await inTime.fence();
      at(clause["RETRY-6"]);
      // Events may arrive more than once: what comes just after the answer is a copy.
      const answeredAt = sentAt(await toInTime.waitForAttempt(1)) + Math.ceil(taken / 1000);
      const more = toInTime.attempts.slice(1).map((attempt) => sentAt(attempt) - answeredAt);
      const repeats = more.filter((seconds) => Math.abs(seconds) > DUPLICATE_WINDOW_S);
      const isTaken = async () => repeats.length === 0 && (await isClosedSoon(api, left.id));
      if (taken > SURELY_WITHIN_MS || (heard > SURELY_WITHIN_MS && !(await isTaken()))) {
        await api.call("deleteWebhook", { path: { id: left.id } });
        continue;
      }
      expect(repeats, `attempts where the answer came ${taken / 1000} s later, in seconds after it`).toEqual(
        [],
      );
      await expectGoneTaken(api, toLeft, gone, taken);
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
  mutants: [
    "only-200-is-a-success",
    "accepted-is-no-success",
    "success-without-a-body-is-none",
    ...elementsOf("statuses-of-success").map((status) => `${status}-counts-as-a-failure` as const),
  ],
  async run(context) {
    const body = `<p>${"Teşekkürler! ".repeat(300)}</p>`;
    const subscription = await subscribeToCreations(context, () => SUCCESS);
    const sequences = new Map<string, AttemptSequence>();
    const reactions = new Map<string, Reaction>();
    for (const status of elementsOf("statuses-of-success")) {
      const taken: Reaction = { ...answerWith(Number(status)), ...(status === "201" && { body }) };
      // A repetition is answered as its event was.
      subscription.inbox.respondWith((attempt) => reactions.get(String(deliveryOf(attempt)?.id)) ?? taken);
      const event = await sendCreationEvent(context);
      const sequence = await event.waitForDelivery(subscription);
      reactions.set(sequence.deliveryId, taken);
      sequences.set(status, sequence);
    }
    const twin = await sendToOne(context, alwaysFailing);
    await context.advanceClock(latestAfterAll([SECOND, THIRD]));
    await subscription.fence();
    expectTwinRepeated(twin);
    await context.each(ofSet("statuses-of-success"), (status) =>
      expectEnded(sequences.get(status)?.attempts ?? [], 1, `the event that was answered ${status}`),
    );
  },
});

const apart = check({
  id: "addresses.apart",
  title: "an event that fails at one address is repeated there, and not at another that took it",
  clauses: [clause["RETRY-18"]],
  needs: ["receiver", "clock"],
  waits: latestAfterAll([SECOND, THIRD, FOURTH]),
  mutants: ["retry-goes-to-every-address"],
  async run(context) {
    const taking = await subscribeToCreations(context, respondInTurn());
    const refusing = await subscribeToCreations(context, alwaysFailing);
    const event = await sendCreationEvent(context);
    const taken = await event.waitForDelivery(taking);
    const refused = await event.waitForDelivery(refusing);
    await context.advanceClock(latestAfterAll([SECOND, THIRD, FOURTH]));
    await refused.waitForAttempt(4);
    await taking.fence();
    expectEnded(taken.attempts, 1, "the event at the other address");
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
