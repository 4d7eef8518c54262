/** Parses a drop-off (specification, Deliveries). */
import type { components } from "../../openapi/generated/courier-dispatch.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Dropoff, Measures, Store } from "../domain/model.ts";
import { type Point, pointOf } from "../domain/places.ts";
import { DomainError } from "../errors.ts";

/** A point at 0,0 or outside the country counts as missing. Without a point, candidates are looked up. */
export async function readDropoff(
  deps: Dependencies,
  sent: components["schemas"]["NewDropoff"],
): Promise<Dropoff> {
  const given = pointOf(sent);
  const place = {
    address: sent.text,
    neighborhood: sent.neighborhood ?? null,
    district: sent.district ?? null,
    city: sent.city ?? null,
  };
  const point = given !== null && deps.country.contains(given) ? given : null;
  return {
    ...place,
    directions: sent.directions ?? null,
    point,
    candidates: point === null ? await deps.addressResolver.candidates(place) : null,
  };
}

/**
 * Distance and fee to a point; null without a point. Throws HIZMET_DISI for a point outside the service area.
 */
export function measure(deps: Dependencies, store: Store, point: Point | null): Measures {
  if (point === null) return { distance_m: null, road_km: null, fee: null };
  const { within, max_km, distance_m, road_km, fee } = deps.serviceArea.assess(deps, store, point);
  if (!within) throw new DomainError("HIZMET_DISI", { road_km, max_km });
  return { distance_m, road_km, fee };
}
