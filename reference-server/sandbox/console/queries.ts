/** What the console shows, from what is kept. */
import { integratorOf } from "../../control/integrators.ts";
import { formatInstant, formatInstantOrNull } from "../../domain/instants.ts";
import { courierActions, transitionFrom } from "../../domain/lifecycle.ts";
import { type Delivery, statuses } from "../../domain/model.ts";
import { pointOf } from "../../domain/places.ts";
import { DomainError } from "../../errors.ts";
import { readRateLimit } from "../../http/rate-limits.ts";
import type { Parts } from "../../parts.ts";
import type { SandboxIntegrator } from "../../records/sandbox.ts";
import { phrases } from "../simulator/scripts.ts";
import { inboxOrigin } from "./inbox.ts";
import type {
  DeliveryDetail,
  DeliveryFilter,
  DeliverySummary,
  IntegratorSummary,
  Overview,
  PairingCodeSummary,
  SentEventDetail,
  SentEventFilter,
  SentEventSummary,
  SubscriptionSummary,
} from "./types.ts";

export async function readOverview(parts: Parts): Promise<Overview> {
  const { simulator = null } = parts.sandbox ?? {};
  const scripts = Object.values(phrases).map(([english, turkish]) => ({ english, turkish }));
  const integrators = await parts.records.sandbox.integrators(parts.database);
  return {
    version: parts.apiVersion,
    simulator: simulator && { seed: simulator.seed, speed: simulator.speed, scripts },
    inbox_origin: inboxOrigin,
    statuses: [...statuses],
    integrators: await Promise.all(integrators.map((integrator) => summaryOf(parts, integrator))),
  };
}

async function summaryOf(parts: Parts, integrator: SandboxIntegrator): Promise<IntegratorSummary> {
  const real = parts.clock.now();
  const now = parts.clock.of(integrator, real);
  const rateLimit = await readRateLimit(parts, { limit: "integrator", subject: integrator.id, now });
  return {
    client_id: integrator.client_id,
    name: integrator.name,
    kind: integrator.kind,
    closed_at: formatInstantOrNull(integrator.closed_at),
    created_at: formatInstant(integrator.created_at),
    now: formatInstant(now),
    ahead_s: Math.round((now - real) / 1000),
    simulated: integrator.simulated,
    deliveries: integrator.deliveries,
    credit: integrator.credit,
    limit: { limit: rateLimit.limit, remaining: rateLimit.remaining, reset_s: rateLimit.resetSeconds },
  };
}

export async function readPairingCodes(parts: Parts): Promise<PairingCodeSummary[]> {
  const codes = await parts.records.sandbox.pairingCodes(parts.database);
  return codes.map(({ company, restaurant, issued_at, expires_in_ms, used_at }) => ({
    company,
    restaurant,
    issued_at: formatInstant(issued_at),
    expires_in_s: expires_in_ms === null ? null : expires_in_ms / 1000,
    used_at: formatInstantOrNull(used_at),
  }));
}

export async function readDeliveries(parts: Parts, filter: DeliveryFilter): Promise<DeliverySummary[]> {
  const { deliveries, sandbox } = parts.records;
  const integrator = filter.client_id ? await integratorOf(parts, filter.client_id) : undefined;
  const found = await sandbox.latestDeliveries(parts.database, {
    ...(integrator && { integratorId: integrator.id }),
    ...(filter.status && { status: filter.status }),
    ...(filter.text && { text: filter.text }),
  });
  const names = new Map<string, Promise<Pick<DeliverySummary, "client_id" | "integrator" | "store">>>();
  const rows = await Promise.all(
    found.map(async ({ id }) => {
      const delivery = await deliveries.findById(parts.database, id);
      if (delivery === undefined) return [];
      const known = names.get(delivery.store_id) ?? namesOf(parts, delivery);
      names.set(delivery.store_id, known);
      return [{ ...deliverySummary(delivery), ...(await known) }];
    }),
  );
  return rows.flat();
}

function deliverySummary(delivery: Delivery) {
  const { id, external_ref, status, version, customer, courier, notes, test, updated_at } = delivery;
  return {
    id,
    external_ref,
    status,
    version,
    customer: customer.name,
    courier: courier?.name ?? null,
    notes,
    test,
    updated_at: formatInstant(updated_at),
  };
}

async function namesOf(parts: Parts, { integrator_id, store_id }: Delivery) {
  const { integrators, sandbox, stores } = parts.records;
  const integrator = await integrators.findById(parts.database, integrator_id);
  const name = (await sandbox.find(parts.database, integrator_id))?.name ?? null;
  const store = await stores.findById(parts.database, store_id);
  return { client_id: integrator?.client_id ?? "", integrator: name, store: store?.name ?? "" };
}

export async function readDelivery(parts: Parts, id: string): Promise<DeliveryDetail> {
  const { deliveries, integrators, sandbox, stores } = parts.records;
  const delivery = await deliveries.findById(parts.database, id);
  const integrator = delivery && (await integrators.findById(parts.database, delivery.integrator_id));
  const store = delivery && (await stores.findById(parts.database, delivery.store_id));
  if (!delivery || !integrator || !store) throw new DomainError("BULUNAMADI");
  const trail = await sandbox.positions(parts.database, id);
  const history = await sandbox.history(parts.database, delivery);
  return {
    client_id: integrator.client_id,
    delivery: parts.views.delivery(parts, delivery),
    store: { name: store.name, company: store.company.name, at: pointOf(store) },
    actions: courierActions.filter(
      (action) => !delivery.test && transitionFrom(parts.lifecycle, delivery.status, action) !== undefined,
    ),
    trail: trail.map(({ lat, lng, at }) => ({ lat, lng, at: formatInstant(at) })),
    history: history.map(({ id: event_id, type, version, occurred_at }) => ({
      event_id,
      type,
      version,
      at: formatInstant(occurred_at),
    })),
  };
}

export async function readSubscriptions(parts: Parts, clientId: string): Promise<SubscriptionSummary[]> {
  const { id } = await integratorOf(parts, clientId);
  const webhooks = await parts.records.webhooks.list(parts.database, id);
  return webhooks.map((webhook) => ({
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    event_types: webhook.event_types,
    status: webhook.status,
    failing_since: formatInstantOrNull(webhook.failing_since),
    created_at: formatInstant(webhook.created_at),
    is_inbox: webhook.origin === inboxOrigin,
  }));
}

export async function readSentEvents(
  parts: Parts,
  clientId: string,
  filter: SentEventFilter,
): Promise<SentEventSummary[]> {
  const { id } = await integratorOf(parts, clientId);
  const sent = await parts.records.attempts.sentEvents(parts.database, id, {
    ...(filter.webhook_id && { webhookId: filter.webhook_id }),
    ...(filter.event_id && { eventId: filter.event_id }),
  });
  return sent.map(({ due_at, occurred_at, ...row }) => ({
    ...row,
    occurred_at: formatInstant(occurred_at),
    next_at: row.state === "PENDING" ? formatInstant(due_at) : null,
  }));
}

export async function readAttempts(
  parts: Parts,
  clientId: string,
  eventId: string,
  webhookId: string,
): Promise<SentEventDetail> {
  const { id } = await integratorOf(parts, clientId);
  const body = await parts.records.attempts.eventBody(parts.database, id, eventId);
  if (body === undefined) throw new DomainError("BULUNAMADI");
  const attempts = await parts.records.attempts.list(parts.database, eventId, webhookId);
  return {
    event_id: eventId,
    body,
    attempts: attempts.map((attempt) => ({
      ordinal: attempt.ordinal,
      started_at: formatInstant(attempt.started_at),
      took_ms: attempt.ended_at - attempt.started_at,
      url: attempt.url,
      request_headers: headersIn(attempt.request_headers) ?? {},
      status: attempt.status,
      fault: attempt.fault,
      response_headers: headersIn(attempt.response_headers),
      response_body: attempt.response_body,
    })),
  };
}

function headersIn(json: string | null): Record<string, string> | null {
  return json === null ? null : JSON.parse(json);
}
