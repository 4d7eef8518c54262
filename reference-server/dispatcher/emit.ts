/**
 * Writes a change's event, with an outbox row per subscribed endpoint, in the same transaction
 * (specification, Events).
 */
import type { Tx } from "../database/schema.ts";
import { afterCommit } from "../database/transaction.ts";
import { type EventKind, positionKind } from "../domain/model.ts";
import type { Emit, EventRules, Parts } from "../parts.ts";

export const eventRules: EventRules = {
  reportsPosition: (parts, sinceLastMs) => sinceLastMs >= parts.limits.webhooks.positionMs,
  wants: (eventTypes, kind) => eventTypes.includes(kind),
};

/** Stores the event with the delivery as GET shows it, and queues it for each endpoint subscribed to its kind. */
export const emit: Emit = async (parts, tx, delivery, kind) => {
  const { id, integrator_id, updated_at } = delivery;
  if (kind === positionKind) {
    const last = await parts.records.events.lastPosition(tx, id);
    if (last !== undefined && !parts.eventRules.reportsPosition(parts, updated_at - last)) return;
  }
  const addresses = await parts.records.webhooks.active(tx, integrator_id);
  const webhookIds = addresses
    .filter(({ event_types }) => parts.eventRules.wants(event_types, kind))
    .map((webhook) => webhook.id);
  await recordEvent(parts, tx, {
    integrator_id,
    delivery_id: id,
    kind,
    version: delivery.version,
    at: updated_at,
    data: parts.views.delivery(parts, delivery),
    webhookIds,
  });
};

interface NewEvent {
  integrator_id: string;
  delivery_id: string | null;
  kind: EventKind;
  version: number | null;
  /** On the integrator's clock. */
  at: number;
  data: object | null;
  webhookIds: readonly string[];
}

/** Stores an event and queues it for these endpoints after the commit. Returns its id. */
export async function recordEvent(parts: Parts, tx: Tx, event: NewEvent): Promise<string> {
  const { integrator_id, delivery_id, kind, version, at, data, webhookIds } = event;
  const id = parts.ids.uuid();
  // An event without endpoints is stored without its body, which nobody reads, to save disk space.
  const isSent = webhookIds.length > 0;
  const body = isSent ? parts.envelopes.encode(parts.envelopes.make(id, kind, at, data)) : "";
  parts.storageQuota.add(integrator_id, body.length, parts.clock.now());
  await parts.records.events.insert(tx, {
    id,
    integrator_id,
    delivery_id,
    type: kind,
    version,
    occurred_at: at,
    body,
  });
  for (const webhook_id of webhookIds) {
    await parts.records.outbox.insert(tx, { event_id: id, webhook_id }, at);
    afterCommit(tx, () => parts.dispatcher.wake(parts, { webhook_id, integrator_id }));
  }
  return id;
}
