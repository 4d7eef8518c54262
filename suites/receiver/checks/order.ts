import { clause } from "../../../openapi/generated/clauses.ts";
import type { EventKind } from "../../core/contract/event-kinds.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import { type EffectsContext, type ReceiverCheck, receiverCheck } from "../check.ts";
import { deliveryId, type Event } from "../session/events.ts";
import {
  deliverAll,
  deliverAndExpectEffect,
  eventsOfOneDelivery,
  expectEffect,
  expectProcessed,
  expectStored,
} from "./effects.ts";
import { deliverFaulty, expectAccepted, expectToVerifySignatures } from "./expectations.ts";

const CONCURRENT_VERSIONS = 12;
/** Versions of one and two digits. They are few, because the events of a delivery can't be sent concurrently. */
const VERSIONS = [7, 8, 9, 10, 11, 12] as const;
const TRIED_ORDERS = 6;

const answered = receiverCheck({
  id: "order.responses",
  title: "events that arrive out of order are answered with a 2xx status",
  clauses: [clause["RECV-37"]],
  startsEarly: true,
  async run(context) {
    await expectToVerifySignatures(context);
    const events = eventsOfOneDelivery(
      context,
      ["delivery.picked_up", 5],
      ["delivery.assigned", 3],
      ["delivery.created", 1],
      ["delivery.delivered", 8],
      ["delivery.en_route", 6],
    );
    for (const event of events) {
      await expectAccepted(context, context.attempt(event), `version ${event.data?.version} out of order`);
    }
  },
});

/** Sends the events in order, and expects the receiver to store this version. */
async function expectStoredAfter(
  context: EffectsContext,
  events: readonly [Event, ...Event[]],
  version: number,
): Promise<void> {
  const sent = events.map(({ data }) => data?.version).join(", ");
  for (const [i, event] of events.entries()) {
    // An event sent later has a later timestamp, whatever its version is.
    const attempt = context.attempt(event, { age: events.length - i });
    await expectAccepted(context, attempt, `version ${event.data?.version} of the versions ${sent}`);
  }
  await expectStored(context, deliveryId(events[0]), version, `after versions ${sent} in this order`);
}

const lateEvents = receiverCheck({
  id: "order.late",
  title: "a late event with a lower version overwrites neither version nor status",
  clauses: [clause["RECV-36"]],
  needs: ["effects"],
  async run(context) {
    const [delivered, earlier, created] = eventsOfOneDelivery(
      context,
      ["delivery.delivered", 8],
      ["delivery.en_route", 6],
      ["delivery.created", 1],
    );
    const id = deliveryId(delivered);
    await expectAccepted(context, context.attempt(delivered, { age: 60 }));
    await expectEffect(context, delivered);
    const before = await context.effects.waitForVersion(id, 8);
    for (const event of [earlier, created]) {
      if (!event) throw new Error("there are three events");
      await expectAccepted(context, context.attempt(event), `version ${event.data?.version}, late`);
      await expectStored(context, id, 8, `after version ${event.data?.version} was sent late`);
      const after = await context.effects.storedDelivery(id);
      expectThat("the status stored after an event with a lower version", after.status).is(before.status);
    }
  },
});

const equalTimes = receiverCheck({
  id: "order.same-time",
  title: "the version orders events whose times are equal or reversed",
  clauses: [clause["RECV-36"]],
  needs: ["effects"],
  async run(context) {
    const [newer, older] = eventsOfOneDelivery(context, ["delivery.at_pickup", 4], ["delivery.assigned", 3]);
    if (!older || !newer.data || !older.data) throw new Error("expected two events with a delivery each");
    const { timestamp } = newer;
    const { updated_at } = newer.data;
    const alike = { ...older, timestamp, data: { ...older.data, updated_at } };
    await expectStoredAfter(context, [newer, alike], 4);
  },
});

const numericOrder = receiverCheck({
  id: "order.as-numbers",
  title: "versions are compared as numbers: 10 comes after 9",
  clauses: [clause["RECV-36"]],
  needs: ["effects"],
  async run(context) {
    const pairs = [
      [9, 10],
      [99, 100],
      [255, 256],
      [2, 1000],
      [65_535, 70_000],
    ] as const;
    const orders = pairs.flatMap(([low, high]) => [[high, low] as const, [low, high] as const]);
    await context.forEachUntilFailure(orders, async ([first, second]) => {
      const events = eventsOfOneDelivery(context, ["delivery.updated", first], ["delivery.updated", second]);
      await expectStoredAfter(context, events, Math.max(first, second));
    });
  },
});

/** The numbers in an order that depends on the seed. */
function shuffled(context: EffectsContext, numbers: readonly number[]): readonly number[] {
  const left = [...numbers];
  return numbers.flatMap(() => left.splice(context.random(left.length), 1));
}

const anyOrder = receiverCheck({
  id: "order.any-order",
  title: `the highest of ${VERSIONS.length} versions is kept, in any order of arrival`,
  clauses: [clause["RECV-36"]],
  needs: ["effects"],
  startsEarly: true,
  async run(context) {
    const orders = Array.from({ length: TRIED_ORDERS }, () => shuffled(context, VERSIONS));
    await context.forEachUntilFailure(orders, async (order) => {
      const versions = order.map((version) => ["delivery.updated", version] as const);
      const events = eventsOfOneDelivery(context, ...versions, ["delivery.updated", 1]);
      await expectStoredAfter(context, events, Math.max(...VERSIONS));
    });
  },
});

const concurrentVersions = receiverCheck({
  id: "order.concurrent",
  title: `the highest of ${CONCURRENT_VERSIONS} versions is kept when all of them arrive concurrently`,
  clauses: [clause["RECV-36"]],
  needs: ["effects"],
  burst: true,
  async run(context) {
    const descendingVersions = Array.from(
      { length: CONCURRENT_VERSIONS },
      (_, i) => ["delivery.updated", CONCURRENT_VERSIONS - i] as const,
    );
    const events = eventsOfOneDelivery(context, ...descendingVersions);
    await deliverAll(context, events);
    await expectStored(
      context,
      deliveryId(events[0]),
      CONCURRENT_VERSIONS,
      `after ${CONCURRENT_VERSIONS} concurrent versions`,
    );
  },
});

const byDelivery = receiverCheck({
  id: "order.by-delivery",
  title: "each delivery's versions are compared separately, with any gaps and any start",
  clauses: [clause["RECV-40"]],
  needs: ["effects"],
  async run(context) {
    const [high] = eventsOfOneDelivery(context, ["delivery.delivered", 12]);
    const [low, later] = eventsOfOneDelivery(context, ["delivery.assigned", 3], ["delivery.arrived", 7]);
    await expectProcessed(context, high, 0, "an event that wasn't sent yet");
    await deliverAndExpectEffect(context, high);
    await deliverAndExpectEffect(
      context,
      low,
      "the first event of a delivery, with a lower version than another delivery's",
    );
    if (!later) throw new Error("eventsOfOneDelivery returned one event instead of two");
    await deliverAndExpectEffect(context, later, "an event that skips versions");
  },
});

const storedByDelivery = receiverCheck({
  id: "order.held-by-delivery",
  title:
    "a delivery keeps the highest version of its own genuine events, regardless of other deliveries' events",
  clauses: [clause["RECV-42"]],
  needs: ["effects"],
  startsEarly: true,
  async run(context) {
    const [high] = eventsOfOneDelivery(context, ["delivery.delivered", 12]);
    const [low, later] = eventsOfOneDelivery(context, ["delivery.assigned", 3], ["delivery.arrived", 7]);
    if (!later) throw new Error("eventsOfOneDelivery returned one event instead of two");
    await expectStoredAfter(context, [high], 12);
    const unsigned = { ...context.attempt(low), signature: undefined };
    await deliverFaulty(context, unsigned, "an event without its signature");
    await expectStored(context, deliveryId(low), null, "after an event without its signature");
    await expectStoredAfter(context, [low], 3);
    await expectStoredAfter(context, [later], 7);
    await expectStored(context, deliveryId(high), 12, "after lower versions of another delivery");
  },
});

/**
 * Types of events that may share a version: a delivery's creation and the start of the search for a courier. If the
 * subscription lacks one of the two types, all its types.
 */
function kindsOfOneVersion(listed: readonly EventKind[]): readonly EventKind[] {
  const opening: readonly EventKind[] = ["delivery.created", "delivery.queued"];
  return opening.every((kind) => listed.includes(kind)) ? opening : listed;
}

const equalVersions = receiverCheck({
  id: "order.equal-versions",
  title: "two different events with one version are both kept",
  clauses: [clause["RECV-38"]],
  needs: ["effects"],
  async run(context) {
    const [one = "delivery.created", other] = kindsOfOneVersion(context.eventTypes);
    if (other === undefined) throw new CheckSkipped("the receiver's subscription lists a single event type");
    const [first, second] = eventsOfOneDelivery(context, [one, 1], [other, 1]);
    if (!second) throw new Error("eventsOfOneDelivery returned one event instead of two");
    await deliverAndExpectEffect(context, first);
    await expectAccepted(context, context.attempt(second));
    await expectEffect(context, second, "a second event of the same version");
    await expectProcessed(context, first, 1, "the first event of the same version");
  },
});

export const orderChecks: readonly ReceiverCheck[] = [
  answered,
  lateEvents,
  equalTimes,
  numericOrder,
  anyOrder,
  concurrentVersions,
  byDelivery,
  storedByDelivery,
  equalVersions,
];
