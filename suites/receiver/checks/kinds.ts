import { clause } from "../../../openapi/generated/clauses.ts";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { cases } from "../../core/grading/expectations/each-element.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { ConnectionLost } from "../session/connection-lost.ts";
import {
  type Event,
  eventsOfAllKinds,
  eventsOfUnsubscribedDefaultKinds,
  fullAndSparse,
  locationEvent,
  sampleEvent,
  testEvent,
} from "../session/events.ts";
import { isPlaceholder, nameOf, type Statuses } from "../session/statuses.ts";
import { expectAccepted, expectToVerifySignatures } from "./expectations.ts";

/**
 * A hint for a type whose event has a placeholder as its status, because the specification doesn't give the
 * string of each status. A receiver may refuse a placeholder.
 */
const placeholderHint = (kind: string, statuses: Statuses): string =>
  isPlaceholder(kind, statuses)
    ? ` (a placeholder; set the service's string with --statuses ${nameOf(kind)}=…)`
    : "";

async function expectEachAccepted(context: ResponsesContext, events: readonly Event[]): Promise<void> {
  await context.each(
    cases("event types", events, ({ type }) => type),
    async (event) => {
      const { type, data } = event;
      context.recordCoverage("listed-event-kinds", [type], context.eventTypes);
      context.recordCoverage(
        "default-event-kinds",
        DEFAULT_KINDS.filter((kind) => kind === type),
      );
      const what = `${type} with the status ${data?.status}${placeholderHint(type, context.statuses)}`;
      await expectAccepted(context, context.attempt(event), what);
    },
  );
}

const listedKinds = receiverCheck({
  id: "kinds.listed",
  title: "an event of each subscribed type is accepted",
  clauses: [clause["RECV-43"], clause["RECV-30"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await expectEachAccepted(context, eventsOfAllKinds(context));
    context.note(`the receiver's subscription lists ${context.eventTypes.join(", ")}`);
  },
});

/**
 * Sends an event of a type that isn't subscribed. The receiver may give any response, or close the connection.
 */
async function deliverUnsubscribed(context: ResponsesContext, event: Event): Promise<void> {
  try {
    await context.deliver(context.attempt(event));
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
  }
}

/**
 * Sends the events, and returns the types of the events that took effect. The receiver handles these types.
 */
async function handledKinds(context: ResponsesContext, events: readonly Event[]): Promise<readonly string[]> {
  for (const event of events) await deliverUnsubscribed(context, event);
  const { effectsIfGiven: effects } = context;
  if (effects === undefined) return [];
  // Once an event sent later has taken effect, each earlier event has taken effect too, or never will.
  const later = sampleEvent(context);
  await expectAccepted(
    context,
    context.attempt(later),
    "a subscribed event after events of unsubscribed types",
  );
  await effects.waitUntilProcessed(later.id, "configuredLimit");
  const handled: string[] = [];
  for (const { id, type } of events) if ((await effects.processedCount(id)) > 0) handled.push(type);
  return handled;
}

const defaultKinds = receiverCheck({
  id: "kinds.default",
  title:
    "if the subscription lists no event types, an event of each of the fourteen default types is accepted",
  clauses: [clause["RECV-1"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const unsubscribed = eventsOfUnsubscribedDefaultKinds(context);
    if (unsubscribed.length === 0) return expectEachAccepted(context, eventsOfAllKinds(context));
    const handled = await handledKinds(context, unsubscribed);
    if (handled.length === 0)
      throw new CheckSkipped(
        "the receiver's subscription (--event-types) doesn't include all default event types",
      );
    context.note(
      `--event-types doesn't list ${handled.join(", ")}, but events of these types took effect: add the types`,
    );
  },
});

const testEvents = receiverCheck({
  id: "kinds.test-event",
  title: "webhook.test, with null as its data, is accepted",
  clauses: [clause["RECV-2"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await expectAccepted(context, context.attempt(testEvent()), "webhook.test");
  },
});

const sparse = receiverCheck({
  id: "kinds.sparse-deliveries",
  title: "a delivery that has no courier, customer, items or location yet is accepted",
  clauses: [clause["RECV-43"], clause["RECV-30"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const [full, sparse] = fullAndSparse(context);
    await expectAccepted(context, context.attempt(full), "a delivery with all fields");
    await expectAccepted(context, context.attempt(sparse), "a delivery with the required fields only");
  },
});

const positions = receiverCheck({
  id: "kinds.courier-location",
  title: "a delivery.courier_location event is accepted, even if the subscription doesn't list it",
  clauses: [clause["RECV-34"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await expectAccepted(context, context.attempt(locationEvent(context)), "delivery.courier_location");
  },
});

const unknownKinds = receiverCheck({
  id: "kinds.unknown",
  title: "an event of an unknown type is accepted",
  clauses: [clause["RECV-34"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await expectAccepted(context, context.attempt({ ...sampleEvent(context), type: "delivery.handed_over" }));
    await expectAccepted(
      context,
      context.attempt({ ...testEvent(), type: "store.suspended" }),
      "an unknown event type",
    );
  },
});

const bodyWithUnknownMembers = ({ data, ...event }: Event): string =>
  JSON.stringify({
    ...event,
    attempt: 1,
    data: { ...data, carbon_grams: 12.5, courier: { name: "Mehmet", rating: { stars: 4.9 } } },
  });

const unknownFields = receiverCheck({
  id: "kinds.unknown-fields",
  title: "an event with unknown fields is accepted",
  clauses: [clause["RECV-34"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const event = sampleEvent(context);
    await expectAccepted(
      context,
      context.attempt(event, { body: bodyWithUnknownMembers(event) }),
      "an event with unknown fields",
    );
  },
});

const unknownStatuses = receiverCheck({
  id: "kinds.unknown-statuses",
  title: "an event about a delivery with an unknown status is accepted",
  clauses: [clause["RECV-34"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const event = sampleEvent(context, { status: "HANDED_OVER" });
    await expectAccepted(context, context.attempt(event), "an event with the unknown status HANDED_OVER");
  },
});

export const kindsChecks: readonly ReceiverCheck[] = [
  listedKinds,
  defaultKinds,
  testEvents,
  sparse,
  positions,
  unknownKinds,
  unknownFields,
  unknownStatuses,
];
