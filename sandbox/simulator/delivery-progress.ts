/** What the courier does next with a delivery, and when: the state says what, the plan how long it takes. */
import type { CourierAction } from "../../reference-server/domain/lifecycle.ts";
import type { Delivery, Status } from "../../reference-server/domain/model.ts";
import type { Point } from "../../reference-server/domain/places.ts";
import type { Plan } from "./plan.ts";
import { lengthOf, type Position, positionAfter } from "./route.ts";

/** How a delivery stands. Times are ms on the integrator's clock. */
export interface DeliveryProgress {
  delivery: Delivery;
  plan: Plan;
  /** When it came into its present state. */
  since: number;
  /** Offers that nobody took. */
  lapsed: number;
  /** Where the courier is going in this state; null where it isn't, or where one end isn't known. */
  route: Point[] | null;
  /** Positions on this route that were reported. */
  reportedPositions: number;
}

export interface Step {
  at: number;
  action: CourierAction;
  location?: Position;
}

/** Positions are reported this often, in ms of simulated time. */
const positionIntervalMs = 30_000;

/** How long a route takes of which one end isn't known. */
const unknownRouteMs = 6 * 60_000;

/** Which state a courier goes by road in, and what it says on arrival. */
export const arrivalActions: Partial<Record<Status, CourierAction>> = {
  ASSIGNED: "at_pickup",
  EN_ROUTE: "arrived",
  RETURNING: "returned",
};

/** Undefined where the simulator has nothing (more) to do with it. `speed` is simulated time by the integrator's time. */
export function nextStep(journey: DeliveryProgress, speed: number): Step | undefined {
  const { delivery, plan, since, lapsed } = journey;
  if (plan.byHand) return undefined;
  const after = (ms: number, action: CourierAction): Step => ({ at: Math.ceil(since + ms / speed), action });
  const arrival = arrivalActions[delivery.status];
  if (arrival !== undefined) return drivingStep(journey, speed, arrival);
  switch (delivery.status) {
    case "QUEUED":
      // A scheduled one is left alone until its search has begun.
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
