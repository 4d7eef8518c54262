import { clause } from "../../../openapi/generated/clauses.ts";
import type { EventKind } from "../../core/contract/event-kinds.ts";
import { cases } from "../../core/grading/expectations/each-element.ts";
import { type EffectsContext, type ReceiverCheck, receiverCheck, wholeRunCheck } from "../check.ts";
import { type Event, eventsOfAllKinds } from "../session/events.ts";
import {
  deliverAll,
  deliverAndExpectEffect,
  deliverSentinelEvent,
  eventsOfOneDelivery,
  expectCounted,
  expectEffect,
  redeliver,
} from "./effects.ts";

const eachKind = receiverCheck({
  id: "duplicates.each-kind",
  title: "an event of each subscribed type takes effect once when it is sent twice",
  clauses: [clause["RECV-3"]],
  needs: ["effects"],
  burst: true,
  async run(context) {
    const events = eventsOfAllKinds(context);
    await deliverAll(context, events);
    for (const event of events) await expectEffect(context, event, event.type);
    await context.forEachUntilFailure(events, (event) => redeliver(context, event));
    await deliverSentinelEvent(context);
    await context.each(
      cases("event types", events, ({ type }) => type),
      async (event) => {
        context.recordCoverage("listed-event-kinds", [event.type], context.eventTypes);
        await expectCounted(context, event, 1, `${event.type} that came twice`);
      },
    );
  },
});

/** The final event types, after which a delivery doesn't change (specification, "States and transitions"). */
const FINAL_KINDS: readonly EventKind[] = [
  "delivery.delivered",
  "delivery.failed",
  "delivery.cancelled",
  "delivery.returned",
];

/** The final types in the subscription. Without final types, the first subscribed type. */
function lastKindsOf({ eventTypes }: EffectsContext): readonly EventKind[] {
  const listed = FINAL_KINDS.filter((kind) => eventTypes.includes(kind));
  return listed.length > 0 ? listed : eventTypes.slice(0, 1);
}

/** The delay of the service's second attempt (specification, "Delivery, retry and closing"). */
const SECOND_ATTEMPT_MS = 5_000;

const afterTheEnd = wholeRunCheck({
  id: "duplicates.after-the-end-of-a-delivery",
  title: "events of a finished delivery have no second effect when they are sent again 5 seconds later",
  clauses: [clause["RECV-3"]],
  async run(context) {
    const deliveries = lastKindsOf(context).map((kind) => {
      const before = context.eventTypes.includes("delivery.assigned") ? "delivery.assigned" : kind;
      return { kind, events: eventsOfOneDelivery(context, [before, 4], [kind, 5]) };
    });
    // Sends the events of a delivery in order, because a late event with a lower version has no effect.
    const forEachDelivery = (work: (event: Event, what: string) => Promise<void>) =>
      context.forEachUntilFailure(deliveries, async ({ kind, events }) => {
        for (const event of events)
          await work(event, `${event.type} of a delivery whose last event is ${kind}`);
      });
    await context.step(() => forEachDelivery((event, what) => deliverAndExpectEffect(context, event, what)));
    await context.elapsed(SECOND_ATTEMPT_MS);
    await context.step(async () => {
      await forEachDelivery((event) => redeliver(context, event));
      await deliverSentinelEvent(context);
      await forEachDelivery((event, what) =>
        expectCounted(context, event, 1, `${what}, sent again ${SECOND_ATTEMPT_MS / 1000} seconds later,`),
      );
    });
  },
});

export const duplicatesOfKindsChecks: readonly ReceiverCheck[] = [eachKind, afterTheEnd];
