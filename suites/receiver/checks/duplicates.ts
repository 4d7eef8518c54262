import { clause } from "../../../openapi/generated/clauses.ts";
import { forEachConcurrently } from "../../core/concurrency.ts";
import { casesFrom } from "../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../core/grading/failures/attributed-to.ts";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import { MAX_CONNECTIONS } from "../../core/http/http-client.ts";
import { isSuccess } from "../../core/responses.ts";
import { type ReceiverCheck, receiverCheck, wholeRunCheck } from "../check.ts";
import { sampleEvent } from "../session/events.ts";
import {
  DUPLICATE_CLAUSES,
  deliverAll,
  deliverAndExpectEffect,
  deliverFailingOnce,
  deliverSentinelEvent,
  eventsOfOneDelivery,
  expectEffect,
  expectEffectEventually,
  expectProcessed,
  redeliver,
} from "./effects.ts";
import { deliverFaulty, expectAccepted, expectToVerifySignatures } from "./expectations.ts";

const CONCURRENT_ATTEMPTS = 10;
/** Seconds between the timestamps of the first and the second delivery attempt. */
const ATTEMPT_INTERVAL_S = 5;
const EVENTS_BETWEEN = 120;
const CONCURRENT_EVENTS = 30;
const CONCURRENT_READS = 8;
/**
 * At a slow receiver more reads than CONCURRENT_READS run concurrently, but at most this many. The limit is below the
 * number of the effects client's connections, because a read that waits for a connection could time out.
 */
const MAX_CONCURRENT_READS = MAX_CONNECTIONS - CONCURRENT_READS;
/** Seconds from now to the oldest and to the latest timestamp of the check, both within the tolerance of 300 s. */
const MAX_CLOCK_OFFSET_S = 290;

const answered = receiverCheck({
  id: "duplicates.responses",
  title: "a repeated event gets a 2xx status: immediately, later, and twice in a row",
  clauses: [clause["RECV-6"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const event = sampleEvent(context);
    const first = context.attempt(event, { age: ATTEMPT_INTERVAL_S });
    await expectAccepted(context, first);
    await expectAccepted(context, first, "the same attempt again");
    await expectAccepted(context, context.attempt(event), "an event that is sent again later");
    await expectAccepted(context, context.attempt(event), "an event that is sent a fourth time");
  },
});

const answeredAtOnce = receiverCheck({
  id: "duplicates.concurrent-responses",
  title: "an event that is sent ten times concurrently is answered with a 2xx status each time",
  clauses: [clause["RECV-6"]],
  burst: true,
  async run(context) {
    await expectToVerifySignatures(context);
    const event = sampleEvent(context);
    await context.burst(CONCURRENT_ATTEMPTS, () =>
      Promise.all(
        Array.from({ length: CONCURRENT_ATTEMPTS }, () =>
          expectAccepted(context, context.attempt(event), "an event that is sent ten times concurrently"),
        ),
      ),
    );
  },
});

const oneEffect = receiverCheck({
  id: "duplicates.one-effect",
  title: "a repeated event has no second effect",
  clauses: [clause["RECV-3"]],
  needs: ["effects"],
  async run(context) {
    const event = sampleEvent(context);
    await deliverAndExpectEffect(context, event);
    await redeliver(context, event);
    await expectProcessed(context, event, 1, "an event that was sent twice");
    await redeliver(context, event);
    await expectProcessed(context, event, 1, "an event that was sent three times");
  },
});

const laterTries = receiverCheck({
  id: "duplicates.later-tries",
  title: "a later attempt of an event, with its own timestamp and signature, has no second effect",
  clauses: [clause["RECV-4"]],
  needs: ["effects"],
  async run(context) {
    const event = sampleEvent(context);
    await expectAccepted(context, context.attempt(event, { age: 2 * ATTEMPT_INTERVAL_S }));
    await expectEffect(context, event);
    for (const age of [ATTEMPT_INTERVAL_S, 0]) await redeliver(context, event, { age });
    await expectProcessed(
      context,
      event,
      1,
      "an event that was sent three times, each with its own timestamp and signature,",
    );
  },
});

const otherBodies = receiverCheck({
  id: "duplicates.other-bodies",
  title:
    "a later delivery attempt of an event has no second effect, even if its body is formatted differently or has newer data",
  clauses: [clause["RECV-4"]],
  needs: ["effects"],
  async run(context) {
    const [event, newer] = eventsOfOneDelivery(context, ["delivery.assigned", 3], ["delivery.assigned", 4]);
    await expectAccepted(context, context.attempt(event, { age: ATTEMPT_INTERVAL_S }));
    await expectEffect(context, event);
    await redeliver(context, event, { body: JSON.stringify(event, null, 2) });
    await redeliver(context, { ...event, data: newer?.data ?? null });
    await expectProcessed(context, event, 1, "an event that was sent with three bodies");
  },
});

const atOnce = receiverCheck({
  id: "duplicates.concurrent",
  title: "an event that is sent ten times concurrently takes effect once",
  clauses: [clause["RECV-5"]],
  needs: ["effects"],
  burst: true,
  async run(context) {
    const event = sampleEvent(context);
    // A receiver may ask for a retry, for example with 503, so one accepted attempt of the ten is enough.
    const replies = await context.burst(CONCURRENT_ATTEMPTS, () =>
      Promise.all(Array.from({ length: CONCURRENT_ATTEMPTS }, () => context.deliver(context.attempt(event)))),
    );
    if (!replies.some(isSuccess)) {
      throw new CheckFailure({
        subject: `the number of accepted attempts of ${CONCURRENT_ATTEMPTS} concurrent attempts`,
        relation: "to be at least",
        expected: 1,
        actual: 0,
        note: `the attempts got ${[...new Set(replies.map(({ status }) => status))].join(", ")}`,
      });
    }
    await expectEffect(context, event);
    await expectProcessed(context, event, 1, "an event that was sent ten times concurrently");
  },
});

const longMemory = receiverCheck({
  id: "duplicates.after-many-others",
  title: `an event that is sent again after ${EVENTS_BETWEEN} other events has no second effect`,
  clauses: [clause["RECV-3"]],
  needs: ["effects"],
  burst: true,
  async run(context) {
    const event = sampleEvent(context);
    await deliverAndExpectEffect(context, event);
    await context.forEachUntilFailure(Array.from({ length: EVENTS_BETWEEN / CONCURRENT_EVENTS }), () =>
      deliverAll(
        context,
        Array.from({ length: CONCURRENT_EVENTS }, () => sampleEvent(context)),
      ),
    );
    await redeliver(context, event);
    await expectProcessed(
      context,
      event,
      1,
      `an event that was sent again after ${EVENTS_BETWEEN} other events`,
    );
  },
});

const beyondTolerance = receiverCheck({
  id: "duplicates.beyond-the-tolerance",
  title: "an event is remembered for longer than five minutes: attempts are up to ten hours apart",
  clauses: [clause["RECV-4"]],
  needs: ["effects"],
  async run(context) {
    const event = sampleEvent(context);
    await expectAccepted(context, context.attempt(event, { age: MAX_CLOCK_OFFSET_S }));
    await expectEffect(context, event);
    await deliverAndExpectEffect(context, sampleEvent(context));
    await redeliver(context, event, { age: -MAX_CLOCK_OFFSET_S });
    await expectProcessed(context, event, 1, "an event whose attempts are more than five minutes apart");
  },
});

const afterFailure = receiverCheck({
  id: "duplicates.after-a-failure",
  title:
    "an event whose processing failed takes effect once: after the service repeats it, or without a repeat if it got a 2xx",
  clauses: [clause["RECV-35"]],
  needs: ["effects"],
  exclusive: true,
  async run(context) {
    const { event, reply } = await deliverFailingOnce(context, { age: ATTEMPT_INTERVAL_S });
    const status = `an event whose processing failed, answered with ${reply.status}`;
    // The service sends an event again after a status other than 2xx. After a 2xx, the receiver is responsible
    // for the event.
    if (!isSuccess(reply)) await expectAccepted(context, context.attempt(event), `${status} and sent again,`);
    await expectEffectEventually(context, event, status, reply);
    await expectProcessed(context, event, 1, status);
  },
});

/** The delay of the service's second attempt (specification, "Delivery, retry and closing"). */
const SECOND_ATTEMPT_MS = 5_000;

const asLateAsTheSecond = wholeRunCheck({
  id: "duplicates.as-late-as-the-second-attempt",
  title: "an event that is sent again after 5 seconds, as the service does, has no second effect",
  clauses: [clause["RECV-4"]],
  async run(context) {
    const event = sampleEvent(context);
    await context.step(() => deliverAndExpectEffect(context, event));
    await context.elapsed(SECOND_ATTEMPT_MS);
    await context.step(async () => {
      await redeliver(context, event);
      await expectProcessed(context, event, 1, "an event that was sent again after 5 seconds");
    });
  },
});

const NEEDS_WHOLE_RUN =
  "the check needs the events of a whole run: leave out --only, and run again if the receiver went down";

const atTheEnd = wholeRunCheck({
  id: "duplicates.at-the-end-of-the-run",
  title: "an event from the start of the run has no second effect when it is sent again at the end",
  clauses: [clause["RECV-3"]],
  async run(context) {
    const event = sampleEvent(context);
    await context.step(() => deliverAndExpectEffect(context, event));
    const before = context.acceptedIds().length;
    await context.restOfRun();
    await context.step(async () => {
      const between = context.acceptedIds().length - before;
      if (between === 0) throw new CheckSkipped(NEEDS_WHOLE_RUN);
      await redeliver(context, event);
      await expectProcessed(context, event, 1, `an event that was sent again after ${between} other events`);
      context.note(`the event was sent again after ${between} other events`);
    });
  },
});

const noneTwice = wholeRunCheck({
  id: "duplicates.none-by-the-end-of-the-run",
  title: "no event of the run has taken effect twice by the end of the run",
  clauses: [clause["RECV-3"]],
  async run(context) {
    await context.restOfRun();
    await context.step(async () => {
      await deliverSentinelEvent(context);
      const acceptedIds = context.acceptedIds();
      if (acceptedIds.length === 1) throw new CheckSkipped(NEEDS_WHOLE_RUN);
      const twice: string[] = [];
      const readsAtOnce = Math.min(Math.max(CONCURRENT_READS, context.concurrency), MAX_CONCURRENT_READS);
      await forEachConcurrently(acceptedIds, readsAtOnce, async (id) => {
        if ((await context.effects.processedCount(id)) > 1) twice.push(id);
      });
      context.note(`${acceptedIds.length} events were examined`);
      attributeFailures(DUPLICATE_CLAUSES, () =>
        expectThat(
          `events that took effect more than once, of ${acceptedIds.length}`,
          twice.slice(0, 3),
        ).isEmpty(),
      );
    });
  },
});

const sameKindAgain = receiverCheck({
  id: "duplicates.alike",
  title: "an event with a new id takes effect, even if it otherwise equals an earlier event",
  clauses: [clause["RECV-40"]],
  needs: ["effects"],
  async run(context) {
    const [offered, again, updated] = eventsOfOneDelivery(
      context,
      ["delivery.offered", 2],
      ["delivery.offered", 4],
      ["delivery.updated", 9],
    );
    if (!again || !updated) throw new Error("eventsOfOneDelivery must return three events");
    await expectProcessed(context, offered, 0, "an event that wasn't sent yet");
    await deliverAndExpectEffect(context, offered);
    for (const event of [again, updated]) {
      const alike = { ...event, timestamp: offered.timestamp };
      await deliverAndExpectEffect(context, alike, `${event.type} with version ${event.data?.version}`);
    }
  },
});

/** The id with another hexadecimal digit at this index. */
function withOtherDigit(id: string, at: number): string {
  const digit = id[at] === "a" ? "b" : "a";
  return `${id.slice(0, at)}${digit}${id.slice(at + 1)}`;
}

const nearlyOneId = receiverCheck({
  id: "duplicates.nearly-one-id",
  title: "an event takes effect if its webhook-id differs from an earlier event's in a single character",
  clauses: [clause["RECV-40"]],
  needs: ["effects"],
  async run(context) {
    const first = sampleEvent(context);
    const { length } = first.id;
    await expectProcessed(context, first, 0, "an event that wasn't sent yet");
    await deliverAndExpectEffect(context, first);
    const places = casesFrom("positions in a webhook-id", { last: length - 1, first: 0 });
    await context.each(places, async ([place, at]) => {
      const event = { ...sampleEvent(context), id: withOtherDigit(first.id, at) };
      await deliverAndExpectEffect(
        context,
        event,
        `an event whose webhook-id differs from an earlier one's only in its ${place} character (${event.id}, earlier ${first.id})`,
      );
    });
  },
});

const refusedFirst = receiverCheck({
  id: "duplicates.after-a-refusal",
  title: "a refused request has no effect, and a later genuine event with the same id takes effect",
  clauses: [clause["RECV-29"]],
  needs: ["effects"],
  async run(context) {
    const faults = {
      "with a signature that doesn't match": (attempt: ReturnType<typeof context.attempt>) => ({
        ...attempt,
        signature: context.attempt(sampleEvent(context)).signature,
      }),
      "without its signature": (attempt: ReturnType<typeof context.attempt>) => ({
        ...attempt,
        signature: undefined,
      }),
    };
    await context.forEachUntilFailure(Object.entries(faults), async ([what, spoil]) => {
      const event = sampleEvent(context);
      await deliverFaulty(context, spoil(context.attempt(event)), `an event ${what}`);
      await expectProcessed(context, event, 0, `an event ${what}`);
      await deliverAndExpectEffect(context, event, `a genuine event that was sent before ${what}`);
    });
    const event = sampleEvent(context);
    await deliverFaulty(context, context.attempt(event, { age: 600 }), "an event that is ten minutes old");
    await expectProcessed(context, event, 0, "an event that is ten minutes old");
    await deliverAndExpectEffect(
      context,
      event,
      "a genuine event that was sent before with an old timestamp",
    );
  },
});

export const duplicatesChecks: readonly ReceiverCheck[] = [
  answered,
  answeredAtOnce,
  oneEffect,
  laterTries,
  otherBodies,
  atOnce,
  longMemory,
  beyondTolerance,
  afterFailure,
  sameKindAgain,
  nearlyOneId,
  refusedFirst,
  asLateAsTheSecond,
  atTheEnd,
  noneTwice,
];
