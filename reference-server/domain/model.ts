/** What the service knows of a store and of a delivery. Times are ms on the integrator's clock. */
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

/** Kinds of events, as the document names them (specification, Event kinds). */
export type EventKind = keyof webhooks;
/** Those that come from a change of a delivery. */
export type DeliveryEventKind = Extract<EventKind, `delivery.${string}`>;
/** The kind that says where the courier is. */
export const positionKind = "delivery.courier_location" satisfies DeliveryEventKind;

export type StoreStatus = "ACTIVE" | "SUSPENDED" | "CLOSED";

/** How a courier company charges. Amounts are in `currency`; `base` is for the way itself, the rest per road km. */
export interface PriceTable {
  base: number;
  per_km: number;
  currency: string;
  vat_included: boolean;
}

/** What the integrator says of its restaurant; kept as JSON. */
export interface StoreBody {
  name: string;
  phone: string | null;
  address_text: string;
  lat: number | null;
  lng: number | null;
}

/** What the courier company says of the restaurant; kept as JSON. */
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

/** An address that an order without a point may mean. */
export interface Candidate {
  text: string;
  lat: number;
  lng: number;
  district: string;
  city: string;
  /** 0 to 1. */
  score: number;
}

export interface Dropoff {
  /** The address alone; directions follow it only when it is shown. */
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

/** Distance and fee, computed from a store's settings and a drop-off point; null where one of them is missing. */
export interface Measures {
  distance_m: number | null;
  road_km: number | null;
  fee: Fee | null;
}

export interface Estimates {
  eta_pickup_at: number | null;
  eta_dropoff_at: number | null;
}

/** What a quote says, before it is written. */
export interface QuoteResult extends Measures, Estimates {
  reason: "HIZMET_DISI" | "MAGAZA_PASIF" | "MAGAZA_KONUMSUZ" | "KONUM_GECERSIZ" | null;
  max_km: number;
  couriers_on_shift: number;
  expires_at: number;
}

/** What is kept as JSON of a delivery. */
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
  /** When the search for a courier began; null before that, as it is until shortly before a scheduled time. */
  search_started_at: number | null;
  /** When it was last offered to a courier: from the first offer on its schedule is fixed. */
  offered_at: number | null;
  /** Who was offered it, while the offer stands. */
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

/** A photo that the courier took; its bytes are kept apart. */
export interface Proof {
  id: string;
  delivery_id: string;
  /** Which of the delivery's photos it is, from 1. */
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
  /** Position among all changes of the integrator's deliveries. */
  change_number: number;
  created_at: number;
  updated_at: number;
}
