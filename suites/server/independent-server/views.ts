import { type Json, utc, utcIfAny } from "./formats.ts";
import type { Delivery } from "./state.ts";

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
  const { text, directions, sentCoordinates: shown, neighborhood, district, city } = dropoff;
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
