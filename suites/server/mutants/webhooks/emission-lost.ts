import type { DeliveryEventKind, EventKind } from "../../../../reference-server/domain/model.ts";
import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterEventKinds } from "../operators/events.ts";
import { alterOutbox } from "../operators/webhooks.ts";

/** A server that sends no event about the deliveries of a suspended store. */
const omitEventsOfSuspended: Mutate = (deps) => ({
  ...deps,
  emit: async (current, tx, delivery, kind) => {
    const store = await current.records.stores.findById(tx, delivery.store_id);
    if (store?.status !== "SUSPENDED") await deps.emit(current, tx, delivery, kind);
  },
});

/** Doesn't send an event to an endpoint at which an earlier event of its type and delivery waits for a retry. */
const dropWhileAnotherWaits = (kind: EventKind): Mutate =>
  alterOutbox(({ insert }) => ({
    async insert(tx, sending, dueAt) {
      const event = await tx
        .selectFrom("events")
        .select(["type", "delivery_id"])
        .where("id", "=", sending.event_id)
        .executeTakeFirst();
      const waiting = await tx
        .selectFrom("outbox")
        .innerJoin("events", "events.id", "outbox.event_id")
        .select(["events.type", "events.delivery_id"])
        .where("outbox.webhook_id", "=", sending.webhook_id)
        .where("outbox.state", "=", "PENDING")
        .where("outbox.failures", ">", 0)
        .execute();
      const isSame = (one: { type: string; delivery_id: string | null }) =>
        one.type === event?.type && one.delivery_id === event.delivery_id;
      if (event?.type !== kind || !waiting.some(isSame)) await insert(tx, sending, dueAt);
    },
  }));

/** Doesn't send events with larger bodies. */
const dropLargeEvents = (maxBytes: number, isAffected: (kind: string) => boolean): Mutate =>
  alterOutbox(({ insert }) => ({
    async insert(tx, sending, dueAt) {
      const event = await tx
        .selectFrom("events")
        .select(["type", "body"])
        .where("id", "=", sending.event_id)
        .executeTakeFirst();
      const isDropped = event && isAffected(event.type) && Buffer.byteLength(event.body) > maxBytes;
      if (!isDropped) await insert(tx, sending, dueAt);
    },
  }));

const MAX_BYTES = 65_535;

const omitKindOfScheduled = (omitted: DeliveryEventKind): Mutate =>
  alterEventKinds((kind, { scheduled_for }) => (kind === omitted && scheduled_for !== null ? [] : [kind]));

export const emissionLostMutants: Mutants = {
  "suspended-stores-deliveries-send-no-event": {
    fault: "no event is sent about a delivery whose store is suspended",
    breaks: [{ clause: "EMIT-15" }],
    mutate: omitEventsOfSuspended,
  },
  "change-unreported-while-another-waits-for-its-retry": {
    fault:
      "delivery.updated isn't sent to an endpoint at which an earlier one of the delivery waits for its retry",
    breaks: [{ clause: "EVENT-3" }],
    caughtBy: ["emission.missed"],
    mutate: dropWhileAnotherWaits("delivery.updated"),
  },
  "test-event-dropped-while-another-waits-for-its-retry": {
    fault: "webhook.test isn't sent to an endpoint at which an earlier one waits for its retry",
    breaks: [{ clause: "EVENT-32" }],
    caughtBy: ["emission.missed"],
    mutate: dropWhileAnotherWaits(TEST_KIND),
  },
  "events-over-64-kilobytes-are-not-sent": {
    fault: "an event with a body over 64 kB is never sent",
    breaks: [{ clause: "EVENT-48" }],
    mutate: dropLargeEvents(MAX_BYTES, () => true),
  },
  "later-events-over-64-kilobytes-are-not-sent": {
    fault: "an event other than delivery.created with a body over 64 kB is never sent",
    breaks: [{ clause: "EVENT-48" }],
    mutate: dropLargeEvents(MAX_BYTES, (kind) => kind !== "delivery.created"),
  },
  "cancellations-over-64-kilobytes-are-not-sent": {
    fault: "delivery.cancelled with a body over 64 kB is never sent",
    breaks: [{ clause: "EVENT-48" }],
    mutate: dropLargeEvents(MAX_BYTES, (kind) => kind === "delivery.cancelled"),
  },
  "change-of-a-scheduled-delivery-unreported": {
    fault: "a change of a scheduled delivery emits no event",
    breaks: [{ clause: "EMIT-5" }],
    caughtBy: ["emission.creation-scheduled"],
    mutate: omitKindOfScheduled("delivery.updated"),
  },
  "cancellation-of-a-scheduled-delivery-unreported": {
    fault: "the cancellation of a scheduled delivery emits no event",
    breaks: [{ clause: "EMIT-7" }],
    caughtBy: ["emission.creation-scheduled"],
    mutate: omitKindOfScheduled("delivery.cancelled"),
  },
};
