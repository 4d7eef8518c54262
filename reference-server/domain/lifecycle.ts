/**
 * The states of a delivery and the ways between them, as one table (specification, States and transitions; the
 * courier-driven part is the reference's own choice).
 */
import { DomainError, type ErrorCode } from "../errors.ts";
import type { DeliveryBody, DeliveryEventKind, Status } from "./model.ts";

export interface State {
  /** Nothing happens to it any more. */
  final: boolean;
  /** The package is with the courier: no change and no cancellation by the integrator. */
  withCourier: boolean;
  /** A courier is on it, whose position is taken (`courier_location`, which moves nothing). */
  tracked: boolean;
}

/** What a courier or the dispatcher can do that moves a delivery on (control interface, `actAsCourier`). */
export const courierActions = [
  "offered",
  "offer_lapsed",
  "assigned",
  "at_pickup",
  "picked_up",
  "en_route",
  "arrived",
  "delivered",
  "failed",
  "returning",
  "returned",
] as const;
/** And what tells only where the courier is. */
export type CourierAction = (typeof courierActions)[number] | "courier_location";

/** What moves a delivery: the integrator's address and cancellation, time, and the courier's actions. */
export type Action = "locate" | "cancel" | "search_started" | (typeof courierActions)[number];

export interface Transition {
  from: readonly Status[];
  to: Status;
  event: DeliveryEventKind;
  /** Field that takes the time of the move. */
  stamps?: keyof DeliveryBody & `${string}_at`;
}

/** How a delivery begins, and which events say so. */
export interface Opening {
  status: Status;
  events: readonly DeliveryEventKind[];
}

export interface Lifecycle {
  /**
   * With a usable point, with one and a schedule so far ahead that its search starts later, without one, and for a
   * trial, which is cancelled at once by its own transition.
   */
  openings: Record<"located" | "scheduled" | "unlocated" | "trial", Opening>;
  states: Record<Status, State>;
  transitions: Record<Action, Transition>;
}

const open: State = { final: false, withCourier: false, tracked: false };
const fetched: State = { final: false, withCourier: false, tracked: true };
const carried: State = { final: false, withCourier: true, tracked: true };
const over: State = { final: true, withCourier: false, tracked: false };

/**
 * Each courier comes by the states in their order, and may leave some out: an assignment without an offer, a pick-up
 * without waiting at the restaurant, a hand-over without a word at the door. With the package there are three ends:
 * delivered, failed (final by the specification, wherever the package stays), and returned by way of returning.
 */
export const lifecycle: Lifecycle = {
  openings: {
    located: { status: "QUEUED", events: ["delivery.created", "delivery.queued"] },
    scheduled: { status: "QUEUED", events: ["delivery.created"] },
    unlocated: { status: "RECEIVED", events: ["delivery.created"] },
    trial: { status: "RECEIVED", events: ["delivery.created"] },
  },
  states: {
    RECEIVED: open,
    QUEUED: open,
    OFFERED: open,
    ASSIGNED: fetched,
    AT_PICKUP: fetched,
    PICKED_UP: carried,
    EN_ROUTE: carried,
    ARRIVED: carried,
    RETURNING: carried,
    DELIVERED: over,
    FAILED: over,
    CANCELLED: over,
    RETURNED: over,
  },
  transitions: {
    locate: { from: ["RECEIVED"], to: "QUEUED", event: "delivery.updated" },
    cancel: {
      from: ["RECEIVED", "QUEUED", "OFFERED", "ASSIGNED", "AT_PICKUP"],
      to: "CANCELLED",
      event: "delivery.cancelled",
      stamps: "cancelled_at",
    },
    search_started: {
      from: ["QUEUED"],
      to: "QUEUED",
      event: "delivery.queued",
      stamps: "search_started_at",
    },
    offered: { from: ["QUEUED"], to: "OFFERED", event: "delivery.offered", stamps: "offered_at" },
    offer_lapsed: { from: ["OFFERED"], to: "QUEUED", event: "delivery.queued" },
    assigned: {
      from: ["QUEUED", "OFFERED"],
      to: "ASSIGNED",
      event: "delivery.assigned",
      stamps: "assigned_at",
    },
    at_pickup: { from: ["ASSIGNED"], to: "AT_PICKUP", event: "delivery.at_pickup" },
    picked_up: {
      from: ["ASSIGNED", "AT_PICKUP"],
      to: "PICKED_UP",
      event: "delivery.picked_up",
      stamps: "picked_up_at",
    },
    en_route: { from: ["PICKED_UP"], to: "EN_ROUTE", event: "delivery.en_route" },
    arrived: { from: ["EN_ROUTE"], to: "ARRIVED", event: "delivery.arrived" },
    delivered: {
      from: ["EN_ROUTE", "ARRIVED"],
      to: "DELIVERED",
      event: "delivery.delivered",
      stamps: "delivered_at",
    },
    failed: {
      from: ["PICKED_UP", "EN_ROUTE", "ARRIVED"],
      to: "FAILED",
      event: "delivery.failed",
      stamps: "failed_at",
    },
    returning: { from: ["PICKED_UP", "EN_ROUTE", "ARRIVED"], to: "RETURNING", event: "delivery.returning" },
    returned: {
      from: ["RETURNING"],
      to: "RETURNED",
      event: "delivery.returned",
      stamps: "returned_at",
    },
  },
};

/** Why the integrator may not change or cancel a delivery in this state; undefined where it may. */
export function changeRefusal(table: Lifecycle, status: Status): ErrorCode | undefined {
  const state = table.states[status];
  if (state.final) return "SON_DURUM";
  if (state.withCourier) return "KURYE_ALDI";
  return undefined;
}

/** Throws SON_DURUM or KURYE_ALDI where the integrator may not change or cancel. */
export function refuseUnlessChangeable(table: Lifecycle, status: Status): void {
  const code = changeRefusal(table, status);
  if (code !== undefined) throw new DomainError(code);
}

/** The transition that the action makes from this state; undefined where there is none. */
export function transitionFrom(table: Lifecycle, status: Status, action: Action): Transition | undefined {
  const transition = table.transitions[action];
  return transition.from.includes(status) ? transition : undefined;
}
