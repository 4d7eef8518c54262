/** Stores and deliveries. Times are Unix times in ms on the integrator's clock. */
import type { webhooks } from "../../openapi/generated/courier-dispatch.ts";
import type { Point } from "./places.ts";

export const statuses = [
  "RECEIVED",
  "QUEUED",
  "OFFERED",
  "ASSIGNED",
  "AT_PICKUP",
  "PICKED_UP",
  "EN_ROUTE",
  "ARRIVED",
  "DELIVERED",
  "FAILED",
  "CANCELLED",
  "RETURNING",
  "RETURNED",
] as const;
export type Status = (typeof statuses)[number];

/** Event types, as named in the OpenAPI document (specification, Event kinds). */
export type EventKind = keyof webhooks;
/** Event types that report a change of a delivery. */
export type DeliveryEventKind = Extract<EventKind, `delivery.${string}`>;
/** The event type that reports the courier's position. */
export const positionKind = "delivery.courier_location" satisfies DeliveryEventKind;

export type StoreStatus = "ACTIVE" | "SUSPENDED" | "CLOSED";

/** A courier company's prices in `currency`: a base price, and a price per road km. */
export interface PriceTable {
  base: number;
  per_km: number;
  currency: string;
  vat_included: boolean;
}

/** The integrator's data about its store, stored as JSON. */
export interface StoreBody {
  name: string;
  phone: string | null;
  address_text: string;
  lat: number | null;
  lng: number | null;
}

/** The courier company's data about the store, stored as JSON. */
export interface StoreSettings {
  radius_m: number;
  max_road_km: number;
  couriers_on_shift: number;
  price: PriceTable | null;
}

export interface Store extends StoreBody {
  id: string;
  integrator_id: string;
  external_store_id: string;
  restaurant_id: string;
  company: { id: string; name: string };
  status: StoreStatus;
  created_at: number;
  updated_at: number;
  settings: StoreSettings;
}

export interface Fee {
  amount: number;
  currency: string;
  vat_included: boolean;
}

export interface CourierIdentity {
  name: string;
  phone: string;
  plate: string;
}

export interface Courier extends CourierIdentity {
  lat: number | null;
  lng: number | null;
  location_at: number | null;
  heading: number | null;
}

/** A suggested location for an order without a point. */
export interface Candidate {
  text: string;
  lat: number;
  lng: number;
  district: string;
  city: string;
  /** From 0 to 1. */
  score: number;
}

export interface Dropoff {
  /** The address without directions, which responses append to the address. */
  address: string;
  directions: string | null;
  point: Point | null;
  candidates: Candidate[] | null;
  neighborhood: string | null;
  district: string | null;
  city: string | null;
}

export interface Payment {
  type: string;
  amount_due: number;
  prepaid: boolean;
  subtotal: number | null;
  discount: number | null;
  collected_type: string | null;
  collected_parts: { type: string; amount: number }[] | null;
}

export interface Customer {
  name: string | null;
  phone: string | null;
  phone_extension: string | null;
  note: string | null;
}

export interface Item {
  name: string;
  quantity: number;
  total: number | null;
  code: string | null;
}

/**
 * Distance and fee from a store to a drop-off. The distance is null if one of them has no location; the fee is also null
 * without a price table.
 */
export interface Measures {
  distance_m: number | null;
  road_km: number | null;
  fee: Fee | null;
}

export interface Estimates {
  eta_pickup_at: number | null;
  eta_dropoff_at: number | null;
}

/** A quote in the server's internal types. */
export interface QuoteResult extends Measures, Estimates {
  reason: "HIZMET_DISI" | "MAGAZA_PASIF" | "MAGAZA_KONUMSUZ" | "KONUM_GECERSIZ" | null;
  max_km: number;
  couriers_on_shift: number;
  expires_at: number;
}

/** The part of a delivery that is stored as JSON. */
export interface DeliveryBody extends Measures, Estimates {
  courier: Courier | null;
  dropoff: Dropoff;
  payment: Payment;
  customer: Customer;
  items: Item[];
  scheduled_for: number | null;
  notes: string | null;
  origin_channel: string;
  package_count: number;
  test: boolean;
  ready_at: number | null;
  /**
   * The start of the search for a courier; null before the start. For a scheduled delivery the search starts shortly before
   * the scheduled time.
   */
  search_started_at: number | null;
  /**
   * The latest offer to a courier. From the first offer on, the schedule can't change. The specification's "after a
   * quote was issued" may also mean an earlier moment.
   */
  offered_at: number | null;
  /** The courier to whom the delivery is offered. */
  offered_to: CourierIdentity | null;
  assigned_at: number | null;
  picked_up_at: number | null;
  delivered_at: number | null;
  failed_at: number | null;
  cancelled_at: number | null;
  returned_at: number | null;
  delivery_pin: string | null;
  failure_reason: string | null;
  cancel_reason: string | null;
  unassigned_alert_at: number | null;
}

/** A photo by the courier. The photo's bytes are stored separately. */
export interface Proof {
  id: string;
  delivery_id: string;
  /** The photo's number within the delivery, from 1. */
  ordinal: number;
  mime: ImageType;
  size: number;
  lat: number | null;
  lng: number | null;
  created_at: number;
}

export const imageTypes = ["image/jpeg", "image/png", "image/webp"] as const;
export type ImageType = (typeof imageTypes)[number];

export interface Delivery extends DeliveryBody {
  id: string;
  integrator_id: string;
  store_id: string;
  external_ref: string;
  tracking_key: string;
  status: Status;
  version: number;
  /** The number of the latest change, counted over all of the integrator's deliveries. */
  change_number: number;
  created_at: number;
  updated_at: number;
}
