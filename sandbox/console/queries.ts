import { deliveryEventKinds } from "../../reference-server/contract/documents.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { formatInstant, formatInstantOrNull } from "../../reference-server/domain/instants.ts";
import { courierActions, transitionFrom } from "../../reference-server/domain/lifecycle.ts";
import { statuses } from "../../reference-server/domain/model.ts";
import { pointOf } from "../../reference-server/domain/places.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { integratorBucket, readRateLimit } from "../../reference-server/http/rate-limits.ts";
import type { FaultSwitch } from "../faults/fault-switch.ts";
import { type SandboxIntegrator, sandboxRecords } from "../records/sandbox.ts";
import { phrases } from "../simulator/scripts.ts";
import type { Sandbox } from "../state.ts";
import { inboxOrigin } from "./inbox.ts";
import type { DeliveryDetail, FaultSettings, IntegratorSummary, Overview } from "./types.ts";

export async function readOverview(deps: Dependencies, { simulator, faults }: Sandbox): Promise<Overview> {
  const scripts = Object.values(phrases).map(([english, turkish]) => ({ english, turkish }));
  const integrators = await sandboxRecords.integrators(deps.database);
  return {
    version: deps.apiVersion,
    simulator: simulator && { seed: simulator.seed, speed: simulator.speed, scripts },
    faults: faults === undefined ? null : faultSettings(faults.at(deps.clock.now())),
    inbox_origin: inboxOrigin,
    statuses: [...statuses],
    event_kinds: Object.keys(deps.document.webhooks ?? {}),
    default_kinds: deliveryEventKinds(deps.document).filter((kind) => kind !== "delivery.courier_location"),
    integrators_total: await sandboxRecords.countIntegrators(deps.database),
    integrators: await Promise.all(integrators.map((integrator) => summaryOf(deps, integrator))),
  };
}

const faultSettings = ({ latencyMs, errorRate, until }: ReturnType<FaultSwitch["at"]>): FaultSettings => ({
  latency_ms: latencyMs,
  error_rate: errorRate,
  until: formatInstantOrNull(until),
});

async function summaryOf(deps: Dependencies, integrator: SandboxIntegrator): Promise<IntegratorSummary> {
  const real = deps.clock.now();
  const now = deps.clock.timeOf(integrator, real);
  const rateLimit = await readRateLimit(deps, integratorBucket(integrator, now));
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

export async function readDelivery(deps: Dependencies, id: string): Promise<DeliveryDetail> {
  const { deliveries, integrators, stores } = deps.records;
  const delivery = await deliveries.findById(deps.database, id);
  const integrator = delivery && (await integrators.findById(deps.database, delivery.integrator_id));
  const store = delivery && (await stores.findById(deps.database, delivery.store_id));
  if (!delivery || !integrator || !store) throw new DomainError("BULUNAMADI");
  const trail = await sandboxRecords.positions(deps.database, id);
  const history = await sandboxRecords.history(deps.database, delivery);
  return {
    client_id: integrator.client_id,
    delivery: deps.views.delivery(deps, delivery),
    store: { name: store.name, company: store.company.name, at: pointOf(store) },
    actions: courierActions.filter(
      (action) => !delivery.test && transitionFrom(deps.lifecycle, delivery.status, action) !== undefined,
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
