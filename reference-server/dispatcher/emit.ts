/**
 * Writes a change's event, with an outbox row per subscribed endpoint, in the same transaction
 * (specification, Events).
 */
import type { Tx } from "../database/schema.ts";
import { afterCommit } from "../database/transaction.ts";
import type { Dependencies, Emit, EventRules } from "../dependencies.ts";
import { type EventKind, positionKind } from "../domain/model.ts";

export const eventRules: EventRules = {
  reportsPosition: (limits, sinceLastMs) => sinceLastMs >= limits.webhooks.positionMs,
  wants: (eventTypes, kind) => eventTypes.includes(kind),
};

/** Stores the event with the delivery as GET shows it, and queues the event for each endpoint subscribed to the event's kind. */
export const emit: Emit = async (deps, tx, delivery, kind) => {
  const { id, integrator_id, updated_at } = delivery;
  if (kind === positionKind) {
    const last = await deps.records.events.lastPosition(tx, id);
    if (last !== undefined && !deps.eventRules.reportsPosition(deps.limits, updated_at - last)) return;
  }
  const endpoints = await deps.records.webhooks.active(tx, integrator_id);
  const webhookIds = endpoints
    .filter(({ event_types }) => deps.eventRules.wants(event_types, kind))
    .map((webhook) => webhook.id);
  await recordEvent(deps, tx, {
    integrator_id,
    delivery_id: id,
    kind,
    version: delivery.version,
    at: updated_at,
    data: deps.views.delivery(deps, delivery),
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
export async function recordEvent(deps: Dependencies, tx: Tx, event: NewEvent): Promise<string> {
  const { integrator_id, delivery_id, kind, version, at, data, webhookIds } = event;
  const id = deps.ids.uuid();
  // An event without endpoints is stored without its body, which nobody reads, to save disk space.
  const isSent = webhookIds.length > 0;
  const body = isSent ? deps.envelopes.encode(deps.envelopes.make(id, kind, at, data)) : "";
  deps.storageQuota.add(integrator_id, body.length, deps.clock.now());
  await deps.records.events.insert(tx, {
    id,
    integrator_id,
    delivery_id,
    type: kind,
    version,
    occurred_at: at,
    body,
  });
  for (const webhook_id of webhookIds) {
    await deps.records.outbox.insert(tx, { event_id: id, webhook_id }, at);
    afterCommit(tx, () => deps.dispatcher.wake({ webhook_id, integrator_id }));
  }
  return id;
}
