/**
 * The states and transitions of a delivery as one table (specification, States and transitions). The
 * specification doesn't define the courier's transitions, so these are the reference server's choice.
 */
import { DomainError, type ErrorCode } from "../errors.ts";
import type { DeliveryBody, DeliveryEventKind, Status } from "./model.ts";

export interface State {
  /** True if no transition leaves the state. */
  final: boolean;
  /** True while the courier has the package. The integrator may then neither change nor cancel. */
  withCourier: boolean;
  /** True if a courier is assigned. Positions (`courier_location`) are then accepted. */
  tracked: boolean;
}

/** Actions of a courier or the dispatcher that change the state (control interface, `actAsCourier`). */
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
/** The courier actions that change the state, and the report of a position. */
export type CourierAction = (typeof courierActions)[number] | "courier_location";

/**
 * The actions that change a state: by the integrator (`locate`, `cancel`), by time (`search_started`), and by
 * couriers.
 */
export type Action = "locate" | "cancel" | "search_started" | (typeof courierActions)[number];

interface Transition {
  from: readonly Status[];
  to: Status;
  event: DeliveryEventKind;
  /** The field for the time of the transition. */
  timeField?: keyof DeliveryBody & `${string}_at`;
}

/** The initial state of a delivery, with the events that report it. */
interface Opening {
  status: Status;
  events: readonly DeliveryEventKind[];
}

export interface Lifecycle {
  /**
   * `located` has a valid point. `scheduled` also has a time so far ahead that the search starts later.
   * `unlocated` has no point. `test` is a delivery with `test: true`, which is cancelled immediately.
   */
  openings: Record<"located" | "scheduled" | "unlocated" | "test", Opening>;
  states: Record<Status, State>;
  transitions: Record<Action, Transition>;
}

const open: State = { final: false, withCourier: false, tracked: false };
const beforePickUp: State = { final: false, withCourier: false, tracked: true };
const afterPickUp: State = { final: false, withCourier: true, tracked: true };
const ended: State = { final: true, withCourier: false, tracked: false };

/**
 * Couriers pass the states in order, and may skip some: the offer, the wait at the restaurant, or the arrival
 * at the door. Once the courier has the package, there are three final states: delivered, failed (final by
 * the specification, wherever the package is), and returned, after returning.
 */
export const lifecycle: Lifecycle = {
  openings: {
    located: { status: "QUEUED", events: ["delivery.created", "delivery.queued"] },
    scheduled: { status: "QUEUED", events: ["delivery.created"] },
    unlocated: { status: "RECEIVED", events: ["delivery.created"] },
    test: { status: "RECEIVED", events: ["delivery.created"] },
  },
  states: {
    RECEIVED: open,
    QUEUED: open,
    OFFERED: open,
    ASSIGNED: beforePickUp,
    AT_PICKUP: beforePickUp,
    PICKED_UP: afterPickUp,
    EN_ROUTE: afterPickUp,
    ARRIVED: afterPickUp,
    RETURNING: afterPickUp,
    DELIVERED: ended,
    FAILED: ended,
    CANCELLED: ended,
    RETURNED: ended,
  },
  transitions: {
    locate: { from: ["RECEIVED"], to: "QUEUED", event: "delivery.updated" },
    cancel: {
      from: ["RECEIVED", "QUEUED", "OFFERED", "ASSIGNED", "AT_PICKUP"],
      to: "CANCELLED",
      event: "delivery.cancelled",
      timeField: "cancelled_at",
    },
    search_started: {
      from: ["QUEUED"],
      to: "QUEUED",
      event: "delivery.queued",
      timeField: "search_started_at",
    },
    offered: { from: ["QUEUED"], to: "OFFERED", event: "delivery.offered", timeField: "offered_at" },
    offer_lapsed: { from: ["OFFERED"], to: "QUEUED", event: "delivery.queued" },
    assigned: {
      from: ["QUEUED", "OFFERED"],
      to: "ASSIGNED",
      event: "delivery.assigned",
      timeField: "assigned_at",
    },
    at_pickup: { from: ["ASSIGNED"], to: "AT_PICKUP", event: "delivery.at_pickup" },
    picked_up: {
      from: ["ASSIGNED", "AT_PICKUP"],
      to: "PICKED_UP",
      event: "delivery.picked_up",
      timeField: "picked_up_at",
    },
    en_route: { from: ["PICKED_UP"], to: "EN_ROUTE", event: "delivery.en_route" },
    arrived: { from: ["EN_ROUTE"], to: "ARRIVED", event: "delivery.arrived" },
    delivered: {
      from: ["EN_ROUTE", "ARRIVED"],
      to: "DELIVERED",
      event: "delivery.delivered",
      timeField: "delivered_at",
    },
    failed: {
      from: ["PICKED_UP", "EN_ROUTE", "ARRIVED"],
      to: "FAILED",
      event: "delivery.failed",
      timeField: "failed_at",
    },
    returning: { from: ["PICKED_UP", "EN_ROUTE", "ARRIVED"], to: "RETURNING", event: "delivery.returning" },
    returned: {
      from: ["RETURNING"],
      to: "RETURNED",
      event: "delivery.returned",
      timeField: "returned_at",
    },
  },
};

/**
 * The error code if the integrator may not change or cancel a delivery in this state; undefined if the integrator may change it.
 */
export function changeRefusal(table: Lifecycle, status: Status): ErrorCode | undefined {
  const state = table.states[status];
  if (state.final) return "SON_DURUM";
  if (state.withCourier) return "KURYE_ALDI";
  return undefined;
}

/** Throws SON_DURUM or KURYE_ALDI if the integrator may not change or cancel. */
export function refuseUnlessChangeable(table: Lifecycle, status: Status): void {
  const code = changeRefusal(table, status);
  if (code !== undefined) throw new DomainError(code);
}

/** The action's transition from this state; undefined if the state doesn't allow the action. */
export function transitionFrom(table: Lifecycle, status: Status, action: Action): Transition | undefined {
  const transition = table.transitions[action];
  return transition.from.includes(status) ? transition : undefined;
}
