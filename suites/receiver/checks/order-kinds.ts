import { clause } from "../../../openapi/generated/clauses.ts";
import type { EventKind } from "../../core/contract/event-kinds.ts";
import { cases } from "../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { type EffectsContext, type ReceiverCheck, receiverCheck } from "../check.ts";
import { deliveryId, type Event, unlocatedFields, versionAt } from "../session/events.ts";
import {
  deliverAll,
  deliverSentinelEvent,
  eventsOfOneDelivery,
  expectStored,
  explainByPair,
} from "./effects.ts";
import { expectAccepted } from "./expectations.ts";

/** For each event type, a type that may follow. An event type that isn't listed is followed by the same type. */
const FOLLOWED_BY: Readonly<Partial<Record<EventKind, EventKind>>> = {
  "delivery.created": "delivery.assigned",
  "delivery.queued": "delivery.assigned",
  "delivery.offered": "delivery.assigned",
  "delivery.updated": "delivery.assigned",
  "delivery.assigned": "delivery.delivered",
  "delivery.at_pickup": "delivery.delivered",
  "delivery.picked_up": "delivery.delivered",
  "delivery.en_route": "delivery.delivered",
  "delivery.arrived": "delivery.delivered",
  "delivery.courier_location": "delivery.delivered",
  "delivery.failed": "delivery.returned",
  "delivery.returning": "delivery.returned",
};

/** The difference between the versions of the two events. */
const VERSION_DIFFERENCE = 4;

/**
 * An event of this type that is sent late, and an event of the same delivery with a higher version, which is
 * sent first.
 */
function lateEvent(
  context: EffectsContext,
  kind: EventKind,
): { readonly newer: Event; readonly late: Event } {
  const next = FOLLOWED_BY[kind] ?? kind;
  const newerKind = context.eventTypes.includes(next) ? next : kind;
  const [newer, late] = eventsOfOneDelivery(
    context,
    [newerKind, versionAt(kind) + VERSION_DIFFERENCE],
    [kind, versionAt(kind)],
  );
  if (!late) throw new Error("eventsOfOneDelivery returned one event instead of two");
  return { newer, late };
}

const lateOfEachKind = receiverCheck({
  id: "order.late-of-each-kind",
  title: "a late event of any type overwrites neither version nor status",
  clauses: [clause["RECV-36"]],
  needs: ["effects"],
  burst: true,
  async run(context) {
    const pairs = context.eventTypes.map((kind) => lateEvent(context, kind));
    await deliverAll(
      context,
      pairs.map(({ newer }) => newer),
    );
    await deliverSentinelEvent(context);
    const before = await Promise.all(
      pairs.map(({ newer }) => context.effects.waitForVersion(deliveryId(newer), newer.data?.version ?? 0)),
    );
    await deliverAll(
      context,
      pairs.map(({ late }) => late),
    );
    await deliverSentinelEvent(context);
    const rows = pairs.map((pair, i) => ({ ...pair, status: before[i]?.status }));
    await context.each(
      cases("event types", rows, ({ late }) => late.type),
      async ({ newer, late, status }) => {
        context.recordCoverage("listed-event-kinds", [late.type], context.eventTypes);
        const version = newer.data?.version;
        const held = await context.effects.storedDelivery(deliveryId(newer));
        const order = `${late.type} with version ${late.data?.version} after ${newer.type} with version ${version}`;
        explainByPair(context, { deliveryId: deliveryId(newer), held, version }, () =>
          expectThat(`the stored version and status after ${order}`, {
            version: held.version,
            status: held.status,
          }).is({
            version,
            status,
          }),
        );
      },
    );
  },
});

const queuedAfterOffered = receiverCheck({
  id: "order.lapsed-offer",
  title:
    "a higher version is stored even if its state precedes the stored state: after an offer lapses, the search continues",
  clauses: [clause["RECV-42"]],
  needs: ["effects"],
  async run(context) {
    const [offered, queued] = eventsOfOneDelivery(context, ["delivery.offered", 3], ["delivery.queued", 4]);
    if (!queued) throw new Error("eventsOfOneDelivery returned one event instead of two");
    const id = deliveryId(offered);
    await expectAccepted(context, context.attempt(offered));
    await expectStored(context, id, 3, `after ${offered.type} with version 3`);
    await expectAccepted(context, context.attempt(queued));
    await expectStored(
      context,
      id,
      4,
      `after ${offered.type} with version 3 and ${queued.type} with version 4`,
    );
  },
});

/**
 * The types of events that show a change of the status: delivery.created creates the order without coordinates, and
 * delivery.updated adds them. If the subscription lacks one of the two, the check verifies only the stored versions.
 */
const KINDS_OF_A_CHANGE: readonly EventKind[] = ["delivery.created", "delivery.updated"];

const statusOfUpdate = receiverCheck({
  id: "order.state-of-a-change",
  title: "the status of delivery.updated is stored: an order that gets its coordinates is no longer RECEIVED",
  clauses: [clause["RECV-42"]],
  needs: ["effects"],
  async run(context) {
    const isSent = KINDS_OF_A_CHANGE.every((kind) => context.eventTypes.includes(kind));
    const [received, changed] = eventsOfOneDelivery(
      context,
      ["delivery.created", 1, isSent ? unlocatedFields() : {}],
      ["delivery.updated", 2],
    );
    const [queued] = eventsOfOneDelivery(context, ["delivery.created", 1]);
    if (!changed) throw new Error("eventsOfOneDelivery returned one event instead of two");
    const storedAfter = async (event: Event) => {
      const { version = 0, status } = event.data ?? {};
      const what = `${event.type} with the status ${status}`;
      await expectAccepted(context, context.attempt(event), what);
      await expectStored(context, deliveryId(event), version, `after ${what} and version ${version}`);
      return context.effects.storedDelivery(deliveryId(event));
    };
    const asQueued = await storedAfter(queued);
    const asReceived = await storedAfter(received);
    const afterUpdate = await storedAfter(changed);
    // How the receiver names states is unknown. Two different names prove that the receiver reads the status.
    if (asQueued.status === asReceived.status || afterUpdate.status !== asReceived.status) return;
    const words = ({ type, data }: Event) => `${type} with the status ${data?.status}`;
    throw new CheckFailure({
      subject: "the status that the receiver stores",
      relation: "to be",
      expected: asQueued.status,
      actual: afterUpdate.status,
      note: `${words(received)} was sent, then ${words(changed)}; the expected status is that after ${words(queued)}`,
    });
  },
});

export const orderOfKindsChecks: readonly ReceiverCheck[] = [
  lateOfEachKind,
  queuedAfterOffered,
  statusOfUpdate,
];
