/**
 * An integrator's webhook endpoints in the console: their state, and actions that use the service's
 * operations.
 */

import type { PrivateApi } from "../../reference-server/contract/apis.ts";
import { routesOf } from "../../reference-server/contract/routes.ts";
import { integratorOf } from "../../reference-server/control/integrators.ts";
import { formatInstant, formatInstantOrNull } from "../../reference-server/domain/instants.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { checkInput } from "../../reference-server/http/validation.ts";
import type { Parts, PrivateContext } from "../../reference-server/parts.ts";
import type { Webhook } from "../../reference-server/records/webhooks.ts";
import type { AddressLoad } from "../records/search/event-search.ts";
import { eventSearch } from "../records/search/event-search.ts";
import { outcomeOf } from "./faults.ts";
import { inboxOrigin } from "./inbox.ts";
import type { SubscriptionSecret, SubscriptionSummary } from "./types.ts";

/** The description of a subscription that forwards events, which identifies those of an earlier start. */
export const forwardedDescription = "Forwarded by the sandbox (--forward-to)";

export async function readSubscriptions(parts: Parts, clientId: string): Promise<SubscriptionSummary[]> {
  const { id } = await integratorOf(parts, clientId);
  const { webhooks } = parts.records;
  const loads = await eventSearch.loads(parts.database, id);
  const known = await webhooks.list(parts.database, id);
  return Promise.all(
    known.map((webhook) =>
      summaryOf(
        parts,
        webhook,
        loads.filter(({ webhook_id }) => webhook_id === webhook.id),
      ),
    ),
  );
}

async function summaryOf(
  parts: Parts,
  webhook: Webhook,
  loads: readonly AddressLoad[],
): Promise<SubscriptionSummary> {
  const { id, url, description, event_types, status, failing_since, created_at, origin } = webhook;
  const of = (state: string) => loads.find((load) => load.state === state)?.count ?? 0;
  const due = loads.find(({ state }) => state === "PENDING")?.due_at ?? null;
  const isFailing = status === "ACTIVE" && failing_since !== null;
  return {
    id,
    url,
    description,
    event_types,
    status,
    failing_since: formatInstantOrNull(failing_since),
    closes_at: isFailing ? formatInstant(failing_since + parts.limits.webhooks.failingMs) : null,
    created_at: formatInstant(created_at),
    is_inbox: origin === inboxOrigin,
    is_forwarded: description === forwardedDescription,
    events: {
      waiting: of("PENDING"),
      delivered: of("DELIVERED"),
      failed: of("FAILED"),
      cancelled: of("CANCELLED"),
    },
    next_at: formatInstantOrNull(due),
    last_failure: isFailing ? outcomeOf(await eventSearch.lastFailure(parts.database, id)) : null,
  };
}

/** Registers an endpoint by the rules of POST /v1/webhooks. */
export async function addSubscription(
  parts: Parts,
  clientId: string,
  body: unknown,
): Promise<SubscriptionSecret> {
  const input = { ...nothing, mediaType: "application/json", body };
  const route = routesOf(parts.document).find(({ operationId }) => operationId === "createWebhook");
  if (route === undefined) throw new DomainError("BULUNAMADI");
  checkInput<PrivateApi["createWebhook"]>(parts.document, route, input, { now: parts.clock.now() });
  const { body: made } = await parts.operations.createWebhook({
    ...input,
    ...(await contextOf(parts, clientId)),
  });
  return { id: made.id, secret: made.secret };
}

/** Sends a test event. A closed endpoint gets none. */
export async function testSubscription(
  parts: Parts,
  clientId: string,
  id: string,
): Promise<{ event_id: string }> {
  return (await parts.operations.testWebhook(await callOf(parts, clientId, id))).body;
}

export async function rotateSecret(parts: Parts, clientId: string, id: string): Promise<SubscriptionSecret> {
  const { body } = await parts.operations.rotateWebhookSecret(await callOf(parts, clientId, id));
  return { id: body.id, secret: body.secret };
}

export async function deleteSubscription(parts: Parts, clientId: string, id: string): Promise<void> {
  await parts.operations.deleteWebhook(await callOf(parts, clientId, id));
}

const nothing = { path: {}, query: {}, headers: {}, mediaType: undefined, body: undefined };

async function callOf(parts: Parts, clientId: string, id: string) {
  return { ...nothing, ...(await contextOf(parts, clientId)), path: { id } };
}

/** The context of an integrator's own request. */
async function contextOf(parts: Parts, clientId: string): Promise<PrivateContext> {
  const integrator = await integratorOf(parts, clientId);
  const now = parts.clock.of(integrator, parts.clock.now());
  return { parts, address: "", integrator, tokenHash: "", now };
}
