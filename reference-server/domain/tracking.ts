/** The content and lifetime of the customer's tracking page (specification, Public tracking). */
import type { Limits } from "../limits.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Delivery } from "./model.ts";

export interface Tracking {
  /** True if the page has expired at `now`, on the integrator's clock. */
  closed(deps: { readonly limits: Limits }, delivery: Delivery, now: number): boolean;
  /** True if the page shows the courier's position. */
  showsPosition(deps: { readonly lifecycle: Lifecycle }, delivery: Delivery): boolean;
  /** The part of a courier's name that the page shows. */
  firstName(name: string): string;
}

export const tracking: Tracking = {
  /** The page closes for failed and returned deliveries, which the specification doesn't mention, as for delivered deliveries. */
  closed(deps, { delivered_at, cancelled_at, failed_at, returned_at }, now) {
    const end = delivered_at ?? cancelled_at ?? failed_at ?? returned_at;
    return end !== null && now >= end + deps.limits.trackingMs;
  },

  showsPosition: (deps, { status }) => deps.lifecycle.states[status].withCourier,

  firstName: (name) => name.trim().split(/\s+/u, 1)[0] ?? "",
};
