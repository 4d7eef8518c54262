/** Fields of a delivery that a courier action changes, other than its state (specification, Delivery). */
import type { operations } from "../../openapi/generated/control.ts";
import { rejected } from "../errors.ts";
import type { ServiceArea } from "./areas/service-area.ts";
import type { CourierAction } from "./lifecycle.ts";
import type { Courier, CourierIdentity, Delivery, DeliveryBody, Estimates, Payment } from "./model.ts";
import type { PaymentType } from "./payment-types.ts";
import type { Phone } from "./phone.ts";

type Sent = operations["actAsCourier"]["requestBody"]["content"]["application/json"];

/** A courier action's data: courier, position, reason, and the payment collected. */
export interface Move extends Omit<Sent, "action"> {
  action: CourierAction;
}

/**
 * The dependencies of the rules. `courier`, the rules themselves, is included, so that a mutant can replace a single rule.
 */
interface CourierDependencies {
  readonly courier: CourierRules;
  readonly paymentTypes: readonly PaymentType[];
  readonly phone: Phone;
  readonly serviceArea: ServiceArea;
}

export interface CourierRules {
  /** The courier if an action names none. */
  defaultCourier: CourierIdentity;
  /**
   * All fields that the action changes; `at` is the integrator's time. Throws DOGRULAMA if a field is
   * missing.
   */
  change(deps: CourierDependencies, before: Delivery, move: Move, at: number): Partial<DeliveryBody>;
  /** The delivery's courier and position after the action. */
  courier(deps: CourierDependencies, before: Delivery, move: Move, at: number): Courier | null;
  /** The courier to whom the delivery is offered. */
  offeredTo(deps: CourierDependencies, before: Delivery, move: Move): CourierIdentity | null;
  /** The payment collected at the door. */
  collected(deps: CourierDependencies, before: Delivery, move: Move): Payment;
  failureReason(before: Delivery, move: Move): string | null;
  estimates(deps: CourierDependencies, before: Delivery, move: Move, at: number): Partial<Estimates>;
}

export const courier: CourierRules = {
  defaultCourier: { name: "Deniz Yılmaz", phone: "+905550000034", plate: "34 KRY 34" },

  change(deps, before, move, at) {
    if (move.action === "courier_location" && move.location === undefined) {
      throw rejected("location", "zorunlu");
    }
    const rules = deps.courier;
    return {
      // An offer or assignment before the planned start of the search starts it.
      search_started_at: before.search_started_at ?? at,
      courier: rules.courier(deps, before, move, at),
      offered_to: rules.offeredTo(deps, before, move),
      payment: rules.collected(deps, before, move),
      failure_reason: rules.failureReason(before, move),
      ...rules.estimates(deps, before, move, at),
    };
  },

  /**
   * Null before the assignment and after an offer lapses. Otherwise the courier in the action, the courier
   * with the offer, or the default courier.
   */
  courier(deps, before, move, at) {
    if (move.action === "offer_lapsed") return null;
    const nowhere = { lat: null, lng: null, location_at: null, heading: null };
    const assigned = named(deps, move) ?? before.offered_to ?? deps.courier.defaultCourier;
    const who = move.action === "assigned" ? { ...assigned, ...nowhere } : before.courier;
    if (who === null || move.location === undefined) return who;
    const { lat, lng, heading } = move.location;
    return { ...who, lat, lng, location_at: at, heading: heading ?? null };
  },

  offeredTo(deps, before, move) {
    if (move.action === "offered") return named(deps, move) ?? null;
    return move.action === "offer_lapsed" || move.action === "assigned" ? null : before.offered_to;
  },

  /**
   * The payment with the type that was collected: the type in the action, or else the type in the order. Unchanged if
   * nothing is collected.
   */
  collected(deps, { payment }, { action, collected_type }) {
    if (action !== "delivered") return payment;
    if (collected_type !== undefined && !deps.paymentTypes.some(({ kod }) => kod === collected_type)) {
      throw rejected("collected_type", "ödeme türleri listesinde yok");
    }
    if (payment.prepaid || payment.amount_due === 0) return payment;
    const type = collected_type ?? payment.type;
    return { ...payment, collected_type: type, collected_parts: [{ type, amount: payment.amount_due }] };
  },

  failureReason(before, { action, reason }) {
    const givesReason = action === "failed" || action === "returning" || action === "returned";
    return (givesReason ? reason : undefined) ?? before.failure_reason;
  },

  /** Estimates are recomputed on assignment, at the restaurant, and on pick-up. */
  estimates(deps, { ready_at, scheduled_for, road_km, eta_pickup_at }, { action }, at) {
    const from = (pickup: number) => deps.serviceArea.arrival(pickup, road_km);
    switch (action) {
      case "assigned":
        return deps.serviceArea.estimate({ now: at, ready_at, scheduled_for, road_km });
      case "at_pickup": {
        const pickup = Math.max(at, ready_at ?? 0);
        return { eta_pickup_at: eta_pickup_at === null ? null : pickup, eta_dropoff_at: from(pickup) };
      }
      case "picked_up":
        return { eta_dropoff_at: from(at) };
      default:
        return {};
    }
  },
};

function named(deps: CourierDependencies, move: Move): CourierIdentity | undefined {
  if (move.courier === undefined) return undefined;
  const { name, phone, plate } = move.courier;
  return { name, phone: deps.phone.international(phone), plate };
}
