/** Webhook subscriptions (specification, Webhook subscriptions). */

import type { Tx } from "../database/schema.ts";
import type { AuthenticatedContext } from "../dependencies.ts";
import { recordEvent } from "../dispatcher/emit.ts";
import { DomainError, rejected } from "../errors.ts";
import { isTrusted } from "../events/receiver-trust.ts";
import type { Webhook } from "../records/webhooks.ts";
import type { AuthenticatedOperation, Call } from "./operation.ts";

/**
 * Returns the secret. A closed subscription is reopened with its old id; an active endpoint may have several
 * subscriptions.
 */
export const createWebhook: AuthenticatedOperation<"createWebhook"> = async (call) => {
  const { deps, integrator, body } = call;
  const { href, origin } = await checkedUrl(call);
  const isSame = (url: string) => URL.parse(url)?.href === href;
  return deps.transaction(async (tx) => {
    // Serializes concurrent registrations, so that the limit holds.
    await deps.records.changeSequence.takeNext(tx, integrator.id, call.now);
    const known = await deps.records.webhooks.list(tx, integrator.id);
    const active = known.filter(({ status }) => status === "ACTIVE");
    if (active.length >= deps.limits.webhooks.active) throw new DomainError("ABONELIK_SINIRI");
    const closed = known.find(({ status, url }) => status === "CLOSED" && isSame(url));
    const id = closed?.id ?? deps.ids.uuid();
    const secret = deps.ids.webhookSecret();
    const webhook: Webhook = {
      id,
      integrator_id: integrator.id,
      url: body.url,
      origin,
      // Validation has filled in the document's default.
      event_types: body.event_types ?? [],
      description: body.description ?? null,
      status: "ACTIVE",
      secret: deps.secretEncryption.encrypt(secret, id),
      failing_since: null,
      created_at: closed?.created_at ?? call.now,
    };
    await deps.records.webhooks.put(tx, webhook);
    return { status: 201, body: { ...deps.views.webhook(webhook), secret } };
  });
};

/** Throws DOGRULAMA for a URL that webhooks may not reach. */
async function checkedUrl({ deps, integrator, body }: Call<"createWebhook">): Promise<URL> {
  const url = URL.parse(body.url);
  if (url === null) throw rejected("url", "biçimi uri olmalı");
  const trusted = await isTrusted(deps, integrator, url.origin);
  const refusal = deps.addressGuard.refusal(deps.addressGuard, url, trusted);
  if (refusal !== undefined) throw rejected("url", refusal);
  return url;
}

export const listWebhooks: AuthenticatedOperation<"listWebhooks"> = async ({ deps, integrator }) => {
  const webhooks = await deps.records.webhooks.list(deps.database, integrator.id);
  return { status: 200, body: { items: webhooks.map(deps.views.webhook) } };
};

/** Cancels the endpoint's pending events. */
export const deleteWebhook: AuthenticatedOperation<"deleteWebhook"> = async (call) => {
  const { deps, integrator, path } = call;
  return deps.transaction(async (tx) => {
    // Serializes the deletion with writing events for this endpoint.
    await deps.records.changeSequence.takeNext(tx, integrator.id, call.now);
    await existing(call, tx, path.id);
    await deps.records.webhooks.setStatus(tx, path.id, "DELETED");
    await deps.records.outbox.cancel(tx, path.id);
    return { status: 204 };
  });
};

/** Returns a new secret. Retries of earlier events are signed with the new secret too. */
export const rotateWebhookSecret: AuthenticatedOperation<"rotateWebhookSecret"> = async (call) => {
  const { deps, path } = call;
  return deps.transaction(async (tx) => {
    const webhook = await existing(call, tx, path.id);
    const secret = deps.ids.webhookSecret();
    await deps.records.webhooks.setSecret(tx, webhook.id, deps.secretEncryption.encrypt(secret, webhook.id));
    return { status: 200, body: { ...deps.views.webhook(webhook), secret } };
  });
};

/**
 * Sends the test event to this endpoint only, even if the endpoint isn't subscribed to test events. 404 for a closed endpoint.
 */
export const testWebhook: AuthenticatedOperation<"testWebhook"> = async (call) => {
  const { deps, integrator, path, now } = call;
  return deps.transaction(async (tx) => {
    await deps.records.changeSequence.takeNext(tx, integrator.id, now);
    const webhook = await existing(call, tx, path.id);
    if (webhook.status !== "ACTIVE") throw new DomainError("BULUNAMADI");
    const event_id = await recordEvent(deps, tx, {
      integrator_id: integrator.id,
      delivery_id: null,
      kind: "webhook.test",
      version: null,
      at: now,
      data: null,
      webhookIds: [webhook.id],
    });
    return { status: 202, body: { event_id } };
  });
};

/** The integrator's subscription; throws BULUNAMADI for another integrator's subscription and for a deleted subscription. */
async function existing({ deps, integrator }: AuthenticatedContext, tx: Tx, id: string): Promise<Webhook> {
  const webhook = await deps.records.webhooks.find(tx, integrator.id, id);
  if (webhook === undefined) throw new DomainError("BULUNAMADI");
  return webhook;
}
