/**
 * Whether a store's courier company delivers to a point, and the distance and fee. Quotes, new deliveries
 * and changed addresses use the same rules, so that a quote matches its delivery (specification, Quote).
 */
import type { Estimates, Measures, Store } from "../model.ts";
import { type Distance, type Point, pointOf } from "../places.ts";
import type { Prices } from "./prices.ts";

export interface Assessment extends Measures {
  max_km: number;
  within: boolean;
}

interface AssessmentDependencies {
  readonly distance: Distance;
  readonly prices: Prices;
}

export interface ServiceArea {
  assess(deps: AssessmentDependencies, store: Store, to: Point): Assessment;
  estimate(plan: EstimateBasis): Estimates;
  /** The arrival time of a package picked up at `pickup`; null without a known distance. */
  arrival(pickup: number, road_km: number | null): number | null;
}

/** The inputs of an estimate: times in ms, distance in km. */
interface EstimateBasis {
  now: number;
  ready_at: number | null;
  scheduled_for: number | null;
  road_km: number | null;
}

const minute = 60_000;
/** The courier's times: to the restaurant, per km, and at the door. */
const approach = 10 * minute;
const perKm = 2.5 * minute;
const atTheDoor = 4 * minute;

export const serviceArea: ServiceArea = {
  /** A store without a location delivers everywhere, because no distance can be computed. */
  assess(deps, store, to) {
    const from = pointOf(store);
    const max_km = store.settings.max_road_km;
    if (from === null) return { distance_m: null, road_km: null, fee: null, max_km, within: true };
    const distance_m = deps.distance.straightM(from, to);
    const road_km = deps.distance.roadKm(distance_m);
    const within = distance_m <= store.settings.radius_m && road_km <= max_km;
    return { distance_m, road_km, max_km, within, fee: deps.prices.fee(store.settings.price, road_km) };
  },

  estimate({ now, ready_at, scheduled_for, road_km }) {
    if (road_km === null) return { eta_pickup_at: null, eta_dropoff_at: null };
    const way = wayMs(road_km);
    const soonest = Math.max(now + approach, ready_at ?? 0);
    const eta_pickup_at = Math.max(soonest, scheduled_for === null ? 0 : scheduled_for - way);
    return { eta_pickup_at, eta_dropoff_at: eta_pickup_at + way };
  },

  arrival: (pickup, road_km) => (road_km === null ? null : pickup + wayMs(road_km)),
};

function wayMs(road_km: number): number {
  return Math.round(road_km * perKm) + atTheDoor;
}
