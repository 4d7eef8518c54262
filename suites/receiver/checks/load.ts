import { clause } from "../../../openapi/generated/clauses.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { type ReceiverCheck, receiverCheck } from "../check.ts";
import { eventsOfAllKinds, sampleEvent } from "../session/events.ts";
import { deliverAll, deliverSentinelEvent } from "./effects.ts";
import { expectAccepted, expectToVerifySignatures } from "./expectations.ts";

const CONCURRENT_EVENTS = 50;

const inTime = receiverCheck({
  id: "load.each-in-time",
  title: "each event is answered within 15 seconds",
  clauses: [clause["RECV-31"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const durations: number[] = [];
    await context.forEachUntilFailure(eventsOfAllKinds(context), async (event) => {
      const reply = await expectAccepted(context, context.attempt(event), event.type);
      durations.push(reply.durationMs);
    });
    context.note(
      `the slowest of ${durations.length} responses took ${Math.round(Math.max(...durations))} ms`,
    );
  },
});

const atOnce = receiverCheck({
  id: "load.concurrent-events",
  title: `each of ${CONCURRENT_EVENTS} concurrent events is accepted in time`,
  clauses: [clause["RECV-32"]],
  burst: true,
  async run(context) {
    await expectToVerifySignatures(context);
    const events = Array.from({ length: CONCURRENT_EVENTS }, () => sampleEvent(context));
    const replies = await context.burst(CONCURRENT_EVENTS, () =>
      Promise.allSettled(
        events.map((event) => context.deliver(context.attempt(event), { ownConnection: true })),
      ),
    );
    const durations = replies.flatMap((one) => (one.status === "fulfilled" ? [one.value.durationMs] : []));
    if (durations.length > 0) {
      context.note(
        `${durations.length} of ${CONCURRENT_EVENTS} events got a response, the slowest within ${Math.round(Math.max(...durations))} ms`,
      );
    }
    const failed = replies.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
    const statuses = replies.flatMap((one) => (one.status === "fulfilled" ? [one.value.status] : []));
    const refusals = statuses.filter((status) => status < 200 || status > 299);
    if (refusals.length > 0) {
      throw new CheckFailure({
        subject: `the number of accepted events of ${CONCURRENT_EVENTS} concurrent events`,
        relation: "to be",
        expected: CONCURRENT_EVENTS,
        actual: CONCURRENT_EVENTS - refusals.length,
        note: `the refused events got ${[...new Set(refusals)].join(", ")}`,
      });
    }
  },
});

const effectsOfMany = receiverCheck({
  id: "load.effects-of-many",
  title: `each of ${CONCURRENT_EVENTS} concurrent events takes effect`,
  clauses: [clause["RECV-40"]],
  needs: ["effects"],
  burst: true,
  async run(context) {
    const events = Array.from({ length: CONCURRENT_EVENTS }, () => sampleEvent(context));
    await deliverAll(context, events);
    // When this last event has taken effect, the earlier events have had enough time, so a short wait suffices.
    await deliverSentinelEvent(context);
    const effects = await Promise.all(
      events.map(async ({ id }) => ({
        id,
        times: await context.effects.waitUntilProcessed(id, "shortLimit"),
      })),
    );
    const lost = effects.filter(({ times }) => times === 0).map(({ id }) => id);
    expectThat(`accepted events without an effect, of ${CONCURRENT_EVENTS}`, lost).isEmpty();
  },
});

export const loadChecks: readonly ReceiverCheck[] = [inTime, atOnce, effectsOfMany];
