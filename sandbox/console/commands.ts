/** Console actions that the control interface doesn't have. */
import { deliveryEventKinds } from "../../reference-server/contract/documents.ts";
import { integratorOf, makeIntegrator } from "../../reference-server/control/integrators.ts";
import type { Tx } from "../../reference-server/database/schema.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { isInstant, parseInstant } from "../../reference-server/domain/instants.ts";
import { DomainError, rejected } from "../../reference-server/errors.ts";
import type { Webhook } from "../../reference-server/records/webhooks.ts";
import { attemptRecords } from "../records/attempts.ts";
import { sandboxRecords } from "../records/sandbox.ts";
import type { Sandbox } from "../state.ts";
import { inboxOrigin, inboxUrl } from "./inbox.ts";
import type { IntegratorChange, IntegratorCreated, Redelivery } from "./types.ts";

/**
 * A new integrator with a display name. The integrator may belong to another person, so trusted
 * receivers don't apply to the integrator.
 */
export async function addIntegrator(
  deps: Dependencies,
  change: IntegratorChange,
): Promise<IntegratorCreated> {
  const credentials = await makeIntegrator(deps, { kind: "integrator", trusts_receivers: 0 });
  const { id } = await integratorOf(deps, credentials.client_id);
  const { name = null, simulated = false } = change;
  await sandboxRecords.put(deps.database, { integrator_id: id, name, simulated: simulated ? 1 : 0 });
  return credentials;
}

export async function changeIntegrator(
  deps: Dependencies,
  { simulator }: Sandbox,
  clientId: string,
  change: IntegratorChange,
): Promise<void> {
  const { id } = await integratorOf(deps, clientId);
  const before = await sandboxRecords.find(deps.database, id);
  const simulated = change.simulated ?? before?.simulated === 1;
  const name = change.name ?? before?.name ?? null;
  await sandboxRecords.put(deps.database, { integrator_id: id, name, simulated: simulated ? 1 : 0 });
  simulator?.integratorChanged(deps, id);
}

/** Subscribes the inbox to every type of event, including positions. `answer` has the meaning of `inboxUrl`'s parameter. */
export async function addInbox(
  deps: Dependencies,
  clientId: string,
  answer?: string,
): Promise<{ id: string }> {
  const integrator = await integratorOf(deps, clientId);
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  return deps.transaction(async (tx) => {
    await deps.records.changeSequence.takeNext(tx, integrator.id, now);
    const known = await deps.records.webhooks.list(tx, integrator.id);
    const active = known.filter(({ status }) => status === "ACTIVE").length;
    if (active >= deps.limits.webhooks.active) throw new DomainError("ABONELIK_SINIRI");
    const id = deps.ids.uuid();
    await deps.records.webhooks.put(tx, {
      id,
      integrator_id: integrator.id,
      url: inboxUrl(`inbox-${known.length + 1}`, answer),
      origin: inboxOrigin,
      event_types: deliveryEventKinds(deps.document),
      description: "Sandbox inbox",
      status: "ACTIVE",
      secret: deps.secretEncryption.encrypt(deps.ids.webhookSecret(), id),
      failing_since: null,
      created_at: now,
    });
    return { id };
  });
}

/** Sends events to an endpoint again with the same ids. Returns the number of events. */
export async function redeliver(
  deps: Dependencies,
  clientId: string,
  redelivery: Redelivery,
): Promise<{ events: number }> {
  const integrator = await integratorOf(deps, clientId);
  const { webhook_id } = redelivery;
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  const eventIds = await deps.transaction(async (tx) => {
    await deps.records.changeSequence.takeNext(tx, integrator.id, now);
    const webhook = await deps.records.webhooks.find(tx, integrator.id, webhook_id);
    if (webhook === undefined) throw new DomainError("BULUNAMADI");
    if (webhook.status !== "ACTIVE") throw new DomainError("DURUM_UYGUN_DEGIL");
    const ids = await wantedEvents(tx, integrator.id, webhook, redelivery);
    for (const id of ids) await attemptRecords.sendAgain(tx, id, webhook_id, now);
    return ids;
  });
  deps.dispatcher.wake({ webhook_id, integrator_id: integrator.id });
  return { events: eventIds.length };
}

async function wantedEvents(
  tx: Tx,
  integratorId: string,
  webhook: Webhook,
  redelivery: Redelivery,
): Promise<string[]> {
  if ("event_id" in redelivery) {
    const body = await attemptRecords.eventBody(tx, integratorId, redelivery.event_id);
    if (body === undefined) throw new DomainError("BULUNAMADI");
    return [redelivery.event_id];
  }
  if (!isInstant(redelivery.since)) throw rejected("since", "saat dilimli bir zaman olmalı");
  const since = parseInstant(redelivery.since);
  return (await attemptRecords.eventsSince(tx, integratorId, webhook.event_types, since)).map(({ id }) => id);
}
