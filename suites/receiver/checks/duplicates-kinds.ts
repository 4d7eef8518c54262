import { clause } from "../../../openapi/generated/clauses.ts";
import { forEachConcurrently } from "../../core/concurrency.ts";
import { DEFAULT_KINDS, type EventKind } from "../../core/contract/event-kinds.ts";
import { several } from "../../core/grading/each-element.ts";
import type { EffectsContext } from "../check.ts";
import { type Event, eventsOfAllKinds } from "../session/events.ts";
import { type ReceiverCheck, receiverCheck, wholeRunCheck } from "./define.ts";
import { deliverAll, eventsOfOneDelivery, expectCounted, expectEffect, fence, redeliver } from "./effects.ts";

/** Few enough that a receiver which turns others away when it is busy takes them. */
const REPEATS_AT_ONCE = 4;

/** Sends events that nobody saw before, of a delivery each, and waits until all have taken effect. */
async function deliverAllAndExpectEffects(context: EffectsContext, events: readonly Event[]): Promise<void> {
  await deliverAll(context, events);
  for (const event of events) await expectEffect(context, event, event.type);
}

/** Sends events that came before, and waits until each of their effects would be there. */
async function redeliverAll(context: EffectsContext, events: readonly Event[]): Promise<void> {
  await forEachConcurrently(events, REPEATS_AT_ONCE, (event) => redeliver(context, event));
  await fence(context);
}

const eachKind = receiverCheck({
  id: "duplicates.each-kind",
  title: "an event of each kind that the subscription lists takes effect once when it comes twice",
  clauses: [clause["RECV-3"]],
  needs: ["effects"],
  mutants: ["remembers-no-events", ...DEFAULT_KINDS.map((kind) => `repeats-${kind}` as const)],
  async run(context) {
    const events = eventsOfAllKinds(context);
    await deliverAllAndExpectEffects(context, events);
    await redeliverAll(context, events);
    await context.each(
      several("kinds of events", events, ({ type }) => type),
      async (event) => {
        context.cover("listed-event-kinds", [event.type], context.eventTypes);
        await expectCounted(context, event, 1, `${event.type} that came twice`);
      },
    );
  },
});

/** After these a delivery changes no more (States and transitions). */
const FINAL_KINDS: readonly EventKind[] = [
  "delivery.delivered",
  "delivery.failed",
  "delivery.cancelled",
  "delivery.returned",
];

/** The final kinds that the subscription lists; another of its own where it lists none of them. */
function endingsOf({ eventTypes }: EffectsContext): readonly EventKind[] {
  const listed = FINAL_KINDS.filter((kind) => eventTypes.includes(kind));
  return listed.length > 0 ? listed : eventTypes.slice(0, 1);
}

/** So late comes the service's second attempt (Events, Delivery, retry and closing). */
const SECOND_ATTEMPT_MS = 5_000;

const afterTheEnd = wholeRunCheck({
  id: "duplicates.after-the-end-of-a-delivery",
  title: "events of a delivery that has ended take no effect again when they come again 5 seconds later",
  clauses: [clause["RECV-3"]],
  mutants: ["forgets-the-events-of-ended-deliveries"],
  async run(context) {
    const deliveries = endingsOf(context).map((kind) => {
      const before = context.eventTypes.includes("delivery.assigned") ? "delivery.assigned" : kind;
      const [first, ...rest] = eventsOfOneDelivery(context, [before, 4], [kind, 5]);
      const whatIs = ({ type }: Event) =>
        `${type}, sent again ${SECOND_ATTEMPT_MS / 1000} seconds after its delivery had ended with ${kind},`;
      return { first, rest, whatIs };
    });
    await context.step(async () => {
      // One after the other: of a lower version that comes later no effect is due.
      await deliverAllAndExpectEffects(
        context,
        deliveries.map(({ first }) => first),
      );
      await deliverAllAndExpectEffects(
        context,
        deliveries.flatMap(({ rest }) => rest),
      );
    });
    await context.elapsed(SECOND_ATTEMPT_MS);
    await context.step(async () => {
      const sent = deliveries.flatMap(({ first, rest, whatIs }) =>
        [first, ...rest].map((event) => ({ event, what: whatIs(event) })),
      );
      await redeliverAll(
        context,
        sent.map(({ event }) => event),
      );
      for (const { event, what } of sent) await expectCounted(context, event, 1, what);
    });
  },
});

/** What is known again of each kind, and of deliveries that have ended. */
export const duplicatesOfKindsChecks: readonly ReceiverCheck[] = [eachKind, afterTheEnd];
