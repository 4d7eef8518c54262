/**
 * An integrator's webhook endpoints in the console: their state, and actions that use the service's
 * operations.
 */

import type { AuthenticatedApi } from "../../reference-server/contract/apis.ts";
import { routesOf } from "../../reference-server/contract/routes.ts";
import { integratorOf } from "../../reference-server/control/integrators.ts";
import type { AuthenticatedContext, Dependencies } from "../../reference-server/dependencies.ts";
import { formatInstant, formatInstantOrNull } from "../../reference-server/domain/instants.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { checkInput } from "../../reference-server/http/validation.ts";
import type { Webhook } from "../../reference-server/records/webhooks.ts";
import type { EventCount } from "../records/search/event-search.ts";
import { eventSearch } from "../records/search/event-search.ts";
import { outcomeOf } from "./faults.ts";
import { inboxOrigin } from "./inbox.ts";
import type { SubscriptionSecret, SubscriptionSummary } from "./types.ts";

/** The description of forwarding subscriptions, by which the sandbox recognises them after a restart. */
export const forwardedDescription = "Forwarded by the sandbox (--forward-to)";

export async function readSubscriptions(
  deps: Dependencies,
  clientId: string,
): Promise<SubscriptionSummary[]> {
  const { id } = await integratorOf(deps, clientId);
  const { webhooks } = deps.records;
  const counts = await eventSearch.counts(deps.database, id);
  const known = await webhooks.list(deps.database, id);
  return Promise.all(
    known.map((webhook) =>
      summaryOf(
        deps,
        webhook,
        counts.filter(({ webhook_id }) => webhook_id === webhook.id),
      ),
    ),
  );
}

async function summaryOf(
  deps: Dependencies,
  webhook: Webhook,
  counts: readonly EventCount[],
): Promise<SubscriptionSummary> {
  const { id, url, description, event_types, status, failing_since, created_at, origin } = webhook;
  const of = (state: string) => counts.find((one) => one.state === state)?.count ?? 0;
  const due = counts.find(({ state }) => state === "PENDING")?.due_at ?? null;
  const isFailing = status === "ACTIVE" && failing_since !== null;
  return {
    id,
    url,
    description,
    event_types,
    status,
    failing_since: formatInstantOrNull(failing_since),
    closes_at: isFailing ? formatInstant(failing_since + deps.limits.webhooks.failingMs) : null,
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
    last_failure: isFailing ? outcomeOf(await eventSearch.lastFailure(deps.database, id)) : null,
  };
}

/** Registers an endpoint by the rules of POST /v1/webhooks. */
export async function addSubscription(
  deps: Dependencies,
  clientId: string,
  body: unknown,
): Promise<SubscriptionSecret> {
  const input = { ...emptyInput, mediaType: "application/json", body };
  const route = routesOf(deps.document).find(({ operationId }) => operationId === "createWebhook");
  if (route === undefined) throw new DomainError("BULUNAMADI");
  checkInput<AuthenticatedApi["createWebhook"]>(deps.document, route, input, { now: deps.clock.now() });
  const { body: created } = await deps.operations.createWebhook({
    ...input,
    ...(await contextOf(deps, clientId)),
  });
  return { id: created.id, secret: created.secret };
}

/** Sends a test event. A closed endpoint gets none. */
export async function testSubscription(
  deps: Dependencies,
  clientId: string,
  id: string,
): Promise<{ event_id: string }> {
  return (await deps.operations.testWebhook(await callOf(deps, clientId, id))).body;
}

export async function rotateSecret(
  deps: Dependencies,
  clientId: string,
  id: string,
): Promise<SubscriptionSecret> {
  const { body } = await deps.operations.rotateWebhookSecret(await callOf(deps, clientId, id));
  return { id: body.id, secret: body.secret };
}

export async function deleteSubscription(deps: Dependencies, clientId: string, id: string): Promise<void> {
  await deps.operations.deleteWebhook(await callOf(deps, clientId, id));
}

const emptyInput = { path: {}, query: {}, headers: {}, mediaType: undefined, body: undefined };

async function callOf(deps: Dependencies, clientId: string, id: string) {
  return { ...emptyInput, ...(await contextOf(deps, clientId)), path: { id } };
}

/** The context of an integrator's own request. */
async function contextOf(deps: Dependencies, clientId: string): Promise<AuthenticatedContext> {
  const integrator = await integratorOf(deps, clientId);
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  return { deps, address: "", integrator, tokenHash: "", now };
}
