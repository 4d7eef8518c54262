/** The feasibility, estimate and price of a delivery. Nothing is stored (specification, Quotes and areas). */

import { parseInstantOrNull } from "../domain/instants.ts";
import type { QuoteResult, Store } from "../domain/model.ts";
import { pointOf } from "../domain/places.ts";
import { DomainError } from "../errors.ts";
import type { AuthenticatedOperation, Call } from "./operation.ts";

export const createQuote: AuthenticatedOperation<"createQuote"> = async (call) => {
  const { deps, integrator, body } = call;
  const store = await deps.records.stores.find(deps.database, integrator.id, body.store.external_store_id);
  if (store === undefined) throw new DomainError("MAGAZA_YOK");
  return { status: 200, body: deps.views.quote(quoteFor(call, store)) };
};

/** The quote, with the first reason that prevents the delivery. The quote has distances if they were measured. */
function quoteFor({ deps, body, now }: Call<"createQuote">, store: Store): QuoteResult {
  const unknown = {
    distance_m: null,
    road_km: null,
    max_km: store.settings.max_road_km,
    fee: null,
    eta_pickup_at: null,
    eta_dropoff_at: null,
    couriers_on_shift: store.settings.couriers_on_shift,
    expires_at: now + deps.limits.quoteMs,
  };
  if (store.status !== "ACTIVE") return { ...unknown, reason: "MAGAZA_PASIF" };
  if (pointOf(store) === null) return { ...unknown, reason: "MAGAZA_KONUMSUZ" };
  if (!deps.country.contains(body.dropoff)) return { ...unknown, reason: "KONUM_GECERSIZ" };

  const { within, distance_m, road_km, max_km, fee } = deps.serviceArea.assess(deps, store, body.dropoff);
  if (!within) return { ...unknown, distance_m, road_km, max_km, reason: "HIZMET_DISI" };
  const estimates = deps.serviceArea.estimate({
    now,
    ready_at: parseInstantOrNull(body.ready_at),
    scheduled_for: parseInstantOrNull(body.scheduled_for),
    road_km,
  });
  return { ...unknown, reason: null, distance_m, road_km, max_km, fee, ...estimates };
}

export const listDeliveryAreas: AuthenticatedOperation<"listDeliveryAreas"> = async ({
  deps,
  integrator,
}) => {
  const stores = await deps.records.stores.list(deps.database, integrator.id);
  const located = stores.filter((store) => pointOf(store) !== null);
  return { status: 200, body: { items: located.map(deps.views.area) } };
};
