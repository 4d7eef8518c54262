/**
 * The next courier action of a delivery and its time. The state determines the action, the plan its duration.
 */
import type { CourierAction } from "../../reference-server/domain/lifecycle.ts";
import type { Delivery, Status } from "../../reference-server/domain/model.ts";
import type { Point } from "../../reference-server/domain/places.ts";
import type { Plan } from "./plan.ts";
import { lengthOf, type Position, positionAfter } from "./route.ts";

/** The progress of a delivery. Times are ms on the integrator's clock. */
export interface DeliveryProgress {
  delivery: Delivery;
  plan: Plan;
  /** The time at which the current state began. */
  since: number;
  lapsed: number;
  /** The courier's route in this state; null without one, or if one end is unknown. */
  route: Point[] | null;
  /** The number of reported positions on this route. */
  reportedPositions: number;
}

export interface Step {
  at: number;
  action: CourierAction;
  location?: Position;
}

/** The interval of reported positions, in ms of simulated time. */
const positionIntervalMs = 30_000;

/** The duration of a route with an unknown end. */
const unknownRouteMs = 6 * 60_000;

/** States in which a courier drives, with the action on arrival. */
export const arrivalActions: Partial<Record<Status, CourierAction>> = {
  ASSIGNED: "at_pickup",
  EN_ROUTE: "arrived",
  RETURNING: "returned",
};

/**
 * The next step of a delivery; undefined if there is none. `speed` is simulated time divided by the
 * integrator's time.
 */
export function nextStep(journey: DeliveryProgress, speed: number): Step | undefined {
  const { delivery, plan, since, lapsed } = journey;
  if (plan.byHand) return undefined;
  const after = (ms: number, action: CourierAction): Step => ({ at: Math.ceil(since + ms / speed), action });
  const arrival = arrivalActions[delivery.status];
  if (arrival !== undefined) return drivingStep(journey, speed, arrival);
  switch (delivery.status) {
    case "QUEUED":
      // A scheduled delivery waits until its search has started.
      if (plan.lapses === null || delivery.search_started_at === null) return undefined;
      return after(plan.offerMs, "offered");
    case "OFFERED":
      return lapsed < (plan.lapses ?? 0)
        ? after(plan.lapseMs, "offer_lapsed")
        : after(plan.acceptMs, "assigned");
    case "AT_PICKUP":
      return after(Math.max(plan.waitMs, (delivery.ready_at ?? 0) - since), "picked_up");
    case "PICKED_UP":
      return after(plan.loadMs, "en_route");
    case "ARRIVED":
      return after(plan.doorMs, plan.ending);
    default:
      return undefined;
  }
}

function drivingStep(
  { plan, since, route, reportedPositions }: DeliveryProgress,
  speed: number,
  arrival: CourierAction,
): Step {
  if (route === null) return { at: Math.ceil(since + unknownRouteMs / speed), action: arrival };
  const length = lengthOf(route);
  const reportsAfter = (reportedPositions + 1) * positionIntervalMs;
  const walked = reportsAfter * plan.metresPerMs;
  const arrives = length / plan.metresPerMs + (arrival === "returned" ? plan.handBackMs : 0);
  if (walked < length) {
    return {
      at: Math.ceil(since + reportsAfter / speed),
      action: "courier_location",
      location: positionAfter(route, walked),
    };
  }
  return { at: Math.ceil(since + arrives / speed), action: arrival, location: positionAfter(route, length) };
}
