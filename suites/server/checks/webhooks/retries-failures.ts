import { clause } from "../../../../openapi/generated/clauses.ts";
import { rowsOf } from "../../../core/grading/each-element.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import { answerWith, type Reaction } from "../../session/webhook-receiver/reaction.ts";
import { ALL_COME_S, expectInTime, MOST_ATTEMPTS } from "../../support/retry-gaps.ts";
import {
  expectAttempts,
  FAILURE,
  respondInTurn,
  SILENCE,
  SUCCESS,
  sendToAll,
} from "../../support/retry-schedule.ts";
import { trackOf } from "../../support/retry-timeline.ts";
import { type Check, check } from "../define.ts";
import { OF_LATER, OF_SECOND } from "./attempt-clauses.ts";

const OF_ATTEMPTS = [OF_SECOND, ...OF_LATER] as const;

/** Two late attempts without an answer among errors: a clock that is moved waits three seconds for each. */
const WITH_SILENCES = [FAILURE, FAILURE, SILENCE, FAILURE, SILENCE, ...Array<Reaction>(4).fill(FAILURE)];

const always = (reaction: Reaction) => (): Reaction => reaction;

/** Ways for attempts to fail beside a server's error; each has an address of its own, of which there may be five. */
const waysToFail = (elsewhere: string): readonly (readonly [met: string, responder: Responder])[] => [
  ["no answer at its third and fifth attempt", respondInTurn(...WITH_SILENCES)],
  ["a broken connection", always({ kind: "reset" })],
  ["a redirect", always(answerWith(302, { location: elsewhere }))],
  ["a refusal", always(answerWith(404))],
];

const everyKind = check({
  id: "retries.every-kind-of-failure",
  title: "an event is sent eight times, at the times of the table, in whatever way its attempts fail",
  clauses: [...OF_ATTEMPTS, clause["LIMIT-31"]],
  needs: ["receiver", "clock"],
  waits: ALL_COME_S,
  mutants: ["silence-is-repeated-at-once-later-on", "silence-is-given-up-after-three"],
  async run(context) {
    const ways = waysToFail(context.inbox().url);
    const sent = await sendToAll(
      context,
      ways.map(([, responder]) => responder),
    );
    const sequences = Object.fromEntries(sent.map((sequence, index) => [ways[index]?.[0] ?? "", sequence]));
    context.timeline(() =>
      Object.entries(sequences).map(([met, one]) =>
        trackOf(`an event that meets ${met}`, one, MOST_ATTEMPTS),
      ),
    );
    await context.advanceClock(ALL_COME_S);
    await context.each(rowsOf("ways to fail", sequences), async ([met, sequence]) => {
      for (const [index, ofAttempt] of OF_ATTEMPTS.entries()) {
        context.at(ofAttempt);
        await expectInTime(sequence, index + 2, { met });
      }
      context.at(clause["LIMIT-31"]);
      sequence.subscription.inbox.respondWith(() => SUCCESS);
      await sequence.subscription.fence();
      expectAttempts(sequence.attempts, MOST_ATTEMPTS, `an event whose attempts met ${met}`);
    });
  },
});

/** The schedule of events whose attempts fail otherwise than by an error that the address answers with. */
export const retriesFailuresChecks: readonly Check[] = [everyKind];
