import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { answer, type Reaction } from "../../session/webhook-receiver/reaction.ts";
import {
  afterAll,
  atTheLatest,
  COPY_S,
  DELAYS,
  failing,
  inTurn,
  opening,
  SUCCESS,
  sentAt,
  sentToAll,
  subscribed,
} from "../../support/retry-schedule.ts";
import { type Check, check } from "../define.ts";

const [SECOND, THIRD] = DELAYS;

/** An answer that comes later than this is none (Events, Delivery, retry and closing). */
const PATIENCE_S = 15;
/** Later than the second attempt of whoever gives up after five seconds. */
const WELL_WITHIN_S = 11;

/** Each reaction is one address's to the first attempt: the event has to come there once more, and is taken then. */
const repeated = (
  reactions: readonly Reaction[],
  facts: Pick<Check, "id" | "title" | "clauses" | "mutants">,
): Check =>
  check({
    ...facts,
    needs: ["receiver", "clock"],
    waits: atTheLatest(SECOND),
    async run(context) {
      const trails = await sentToAll(
        context,
        reactions.map((reaction) => inTurn(reaction)),
      );
      await context.advance(atTheLatest(SECOND));
      for (const trail of trails) await trail.attempt(2);
    },
  });

const serverErrors = repeated([answer(500), answer(502), answer(503), answer(504)], {
  id: "addresses.server-errors",
  title: "an attempt that is answered 5xx is repeated",
  clauses: [clause["RETRY-1"]],
  mutants: ["unavailable-is-final", "server-errors-are-successes"],
});

const clientErrors = repeated([answer(400), answer(401), answer(404), answer(429)], {
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
  waits: atTheLatest(SECOND),
  mutants: [
    "redirects-are-successes",
    "not-modified-is-a-success",
    "redirect-is-followed",
    "redirect-is-tried",
  ],
  async run(context) {
    const elsewhere = context.inbox();
    const redirect = (status: number) => inTurn(answer(status, { location: elsewhere.url }));
    const trails = await sentToAll(context, [301, 302, 304, 307, 308].map(redirect));
    await context.advance(atTheLatest(SECOND));
    for (const trail of trails) await trail.attempt(2);
    expect(elsewhere.attempts, "what arrived where the redirects point").toEqual([]);
  },
});

const fifteenSeconds = check({
  id: "addresses.fifteen-seconds",
  title: "silence of 15 seconds is a failure, and an answer that comes well before is none",
  clauses: [clause["RETRY-5"], clause["RETRY-6"]],
  needs: ["receiver", "clock"],
  waits: WELL_WITHIN_S + PATIENCE_S + atTheLatest(SECOND),
  mutants: ["waits-a-minute", "gives-up-after-five-seconds", "silence-is-final"],
  async run(context) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = await subscribed(context, inTurn({ kind: "hold", until: promise, reaction: SUCCESS }));
    const silent = await subscribed(context, inTurn({ kind: "silent" }));
    const event = await opening(context);
    const toLate = await event.reaches(late);
    const toSilent = await event.reaches(silent);
    await context.advance(WELL_WITHIN_S);
    resolve();
    await late.fence();
    await context.advance(PATIENCE_S + atTheLatest(SECOND));
    await toSilent.attempt(2);
    await late.fence();
    // Events may arrive more than once: what comes just after the answer is a copy.
    const [first] = toLate.attempts;
    const answeredAt = first ? sentAt(first) + WELL_WITHIN_S : Number.NaN;
    const more = toLate.attempts.slice(1).map((attempt) => sentAt(attempt) - answeredAt);
    const repeats = more.filter((seconds) => seconds < 0 || seconds > COPY_S);
    expect(repeats, "attempts where the answer came late, in seconds after it").toEqual([]);
  },
});

const successes = check({
  id: "addresses.successes",
  title: "any 2xx answer is a success, whatever its body: the event isn't sent again",
  clauses: [clause["RETRY-8"]],
  needs: ["receiver", "clock"],
  waits: afterAll([SECOND, THIRD]),
  mutants: ["only-200-is-a-success", "accepted-is-no-success", "success-without-a-body-is-none"],
  async run(context) {
    const page = `<p>${"Teşekkürler! ".repeat(300)}</p>`;
    const trails = await sentToAll(
      context,
      [answer(200), { ...answer(201), body: page }, answer(202), answer(204)].map((taken) => () => taken),
    );
    await context.advance(afterAll([SECOND, THIRD]));
    for (const { subscription } of trails) await subscription.fence();
    expect(trails.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
  },
});

const apart = check({
  id: "addresses.apart",
  title: "an event that fails at one address is repeated there, and not at another that took it",
  clauses: [clause["RETRY-18"]],
  needs: ["receiver", "clock"],
  waits: afterAll([SECOND, THIRD]),
  mutants: ["retry-goes-to-every-address"],
  async run(context) {
    const taking = await subscribed(context, inTurn());
    const refusing = await subscribed(context, failing);
    const event = await opening(context);
    const taken = await event.reaches(taking);
    const refused = await event.reaches(refusing);
    await context.advance(afterAll([SECOND, THIRD]));
    await refused.attempt(3);
    await taking.fence();
    expect(taken.attempts, "attempts where the event was taken").toHaveLength(1);
  },
});

export const addresses: readonly Check[] = [
  serverErrors,
  clientErrors,
  brokenConnections,
  redirects,
  fifteenSeconds,
  successes,
  apart,
];
