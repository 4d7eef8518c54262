import { type Json, utc, utcIfAny } from "./formats.ts";
import type { Delivery, Store, Webhook } from "./state.ts";

// Members in an unusual order, with undocumented ones, and without those that have no value.

const statusWords = { active: "ACTIVE", suspended: "ASKIDA", closed: "KAPALI" };

export const storeView = (store: Store): Json => ({
  updated_at: utc(store.updatedAt),
  created_at: utc(store.createdAt),
  courier_company: { name: store.company.name, id: store.company.id, tier: "B" },
  lng: store.point?.lng,
  lat: store.point?.lat,
  address_text: store.address,
  phone: store.phone,
  name: store.name,
  status: statusWords[store.state],
  external_store_id: store.externalId,
  id: store.id,
  timezone: "Europe/Istanbul",
});

export const areaView = (store: Store): Json => ({
  active: store.state === "active",
  radius_m: store.radius,
  center: store.point && { lng: store.point.lng, lat: store.point.lat },
  name: store.name,
  external_store_id: store.externalId,
  store_id: store.id,
  shape: "circle",
});

export const deliveryView = (delivery: Delivery, base: string): Json => ({
  links: { self: `/v1/deliveries/${delivery.id}` },
  updated_at: utc(delivery.updatedAt),
  created_at: utc(delivery.createdAt),
  cancelled_at: utcIfAny(delivery.cancelled?.at),
  cancel_reason: delivery.cancelled?.reason,
  ready_at: utc(delivery.readyAt),
  scheduled_for: utcIfAny(delivery.scheduledFor),
  unassigned_alert_at: utcIfAny(delivery.alertAt),
  eta_dropoff_at: utcIfAny(delivery.eta?.dropoff),
  eta_pickup_at: utcIfAny(delivery.eta?.pickup),
  loss: null,
  courier: null,
  pin_required: delivery.pin !== undefined,
  delivery_pin: delivery.pin,
  tracking_url: `${base}/izle?dil=tr&anahtar=${delivery.trackingKey}`,
  road_km: delivery.measure?.road,
  distance_m: delivery.measure?.distance,
  fee: delivery.measure?.fee,
  test: delivery.test,
  prepaid: delivery.payment.prepaid,
  package_count: delivery.packages,
  origin_channel: delivery.channel,
  notes: delivery.notes,
  items: delivery.items,
  customer: {
    note: delivery.customer.note,
    phone_extension: delivery.customer.extension,
    phone: delivery.customer.phone,
    name: delivery.customer.name,
    language: "tr",
  },
  payment: {
    collected_parts: {},
    discount: delivery.payment.discount,
    subtotal: delivery.payment.subtotal,
    amount_due: delivery.payment.due,
    type: delivery.payment.type,
    currency: "TRY",
  },
  dropoff: dropoffView(delivery),
  version: delivery.version,
  status: delivery.status,
  store_id: delivery.store.id,
  external_ref: delivery.externalRef,
  id: delivery.id,
});

function dropoffView({ dropoff }: Delivery): Json {
  const { text, directions, shown, neighborhood, district, city } = dropoff;
  return {
    city,
    neighborhood,
    district,
    source: dropoff.point === undefined ? 0 : 1,
    lng: shown.lng,
    lat: shown.lat,
    text: directions === undefined ? text : `${text}\n${directions}`,
    floor_plan: false,
  };
}

export const hookView = (hook: Webhook, secret?: string): Json => ({
  secret,
  created_at: utc(hook.createdAt),
  failing_since: utcIfAny(hook.failingSince),
  status: hook.status,
  event_types: hook.kinds,
  description: hook.description,
  url: hook.url,
  id: hook.id,
  protocol: "standard-webhooks",
});
