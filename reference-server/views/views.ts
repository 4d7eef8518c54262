/** Converts records to the specification's resources, field by field. */
import type { components } from "../../openapi/generated/courier-dispatch.ts";
import type { Views } from "../dependencies.ts";
import { formatInstant, formatInstantOrNull } from "../domain/instants.ts";
import { pointOf } from "../domain/places.ts";
import type { TrackedCourier, TrackedDelivery } from "../domain/tracked.ts";

type Schemas = components["schemas"];
/** A resource with every field of the document, so that a missing field is a compile error. */
type Complete<Name extends keyof Schemas> = Required<Schemas[Name]>;

export const views: Views = {
  failure({ code, message, details }): unknown {
    return { error: { code, message, ...(details && { details }) } };
  },

  store(store): Complete<"Store"> {
    return {
      id: store.id,
      external_store_id: store.external_store_id,
      name: store.name,
      phone: store.phone,
      address_text: store.address_text,
      lat: store.lat,
      lng: store.lng,
      status: store.status,
      courier_company: { id: store.company.id, name: store.company.name },
      created_at: formatInstant(store.created_at),
      updated_at: formatInstant(store.updated_at),
    };
  },

  area(store): Complete<"DeliveryArea"> {
    return {
      store_id: store.id,
      external_store_id: store.external_store_id,
      name: store.name,
      center: pointOf(store),
      radius_m: store.settings.radius_m,
      active: store.status === "ACTIVE",
    };
  },

  quote(quote): Complete<"Quote"> {
    return {
      serviceable: quote.reason === null,
      ...quote,
      eta_pickup_at: formatInstantOrNull(quote.eta_pickup_at),
      eta_dropoff_at: formatInstantOrNull(quote.eta_dropoff_at),
      expires_at: formatInstant(quote.expires_at),
    };
  },

  delivery(deps, delivery): Complete<"Delivery"> {
    const { payment } = delivery;
    return {
      id: delivery.id,
      external_ref: delivery.external_ref,
      store_id: delivery.store_id,
      status: delivery.status,
      version: delivery.version,
      courier: delivery.courier && deps.views.courier(delivery.courier),
      dropoff: deps.views.dropoff(delivery.dropoff),
      payment: {
        type: payment.type,
        amount_due: payment.amount_due,
        collected_type: payment.collected_type,
        collected_parts: payment.collected_parts,
        subtotal: payment.subtotal,
        discount: payment.discount,
      },
      customer: delivery.customer,
      items: delivery.items,
      scheduled_for: formatInstantOrNull(delivery.scheduled_for),
      notes: delivery.notes,
      origin_channel: delivery.origin_channel,
      package_count: delivery.package_count,
      prepaid: payment.prepaid,
      test: delivery.test,
      fee: delivery.fee,
      distance_m: delivery.distance_m,
      road_km: delivery.road_km,
      tracking_url: `${deps.publicUrl()}/t/${delivery.tracking_key}`,
      eta_pickup_at: formatInstantOrNull(delivery.eta_pickup_at),
      eta_dropoff_at: formatInstantOrNull(delivery.eta_dropoff_at),
      ready_at: formatInstantOrNull(delivery.ready_at),
      assigned_at: formatInstantOrNull(delivery.assigned_at),
      picked_up_at: formatInstantOrNull(delivery.picked_up_at),
      delivered_at: formatInstantOrNull(delivery.delivered_at),
      cancelled_at: formatInstantOrNull(delivery.cancelled_at),
      returned_at: formatInstantOrNull(delivery.returned_at),
      created_at: formatInstant(delivery.created_at),
      updated_at: formatInstant(delivery.updated_at),
      delivery_pin: delivery.delivery_pin,
      pin_required: delivery.delivery_pin !== null,
      failure_reason: delivery.failure_reason,
      cancel_reason: delivery.cancel_reason,
      unassigned_alert_at: formatInstantOrNull(delivery.unassigned_alert_at),
      loss: null,
    };
  },

  /** Directions follow the address. `source` names the source of the point. */
  dropoff({ address, directions, point, candidates, ...place }): Complete<"Dropoff"> {
    return {
      text: directions === null ? address : `${address}, ${directions}`,
      lat: point?.lat ?? null,
      lng: point?.lng ?? null,
      source: point === null ? null : "INTEGRATOR",
      ref: null,
      candidates,
      district: place.district,
      neighborhood: place.neighborhood,
      city: place.city,
    };
  },

  courier(courier): Complete<"Courier"> {
    return {
      name: courier.name,
      phone: courier.phone,
      phone_masked: courier.phone.replace(/\d(?=\d{4})/g, "*"),
      plate: courier.plate,
      lat: courier.lat,
      lng: courier.lng,
      location_at: formatInstantOrNull(courier.location_at),
      heading: courier.heading,
    };
  },

  proof(proof): Complete<"Proof"> {
    return {
      id: proof.id,
      kind: "PHOTO",
      mime: proof.mime,
      size: proof.size,
      lat: proof.lat,
      lng: proof.lng,
      created_at: formatInstant(proof.created_at),
      url: `/v1/deliveries/${proof.delivery_id}/proofs/${proof.id}`,
    };
  },

  /** Contains no personal data: names and places are the restaurant's. */
  tracking(deps, delivery, store): Complete<"Tracking"> {
    return {
      status: delivery.status,
      restaurant: { name: store.name, ...pointOf(store) },
      courier: delivery.courier && deps.views.trackedCourier(deps, delivery, delivery.courier),
      scheduled_for: formatInstantOrNull(delivery.scheduled_for),
      eta_pickup_at: formatInstantOrNull(delivery.eta_pickup_at),
      eta_dropoff_at: formatInstantOrNull(delivery.eta_dropoff_at),
      picked_up_at: formatInstantOrNull(delivery.picked_up_at),
      delivered_at: formatInstantOrNull(delivery.delivered_at),
      cancelled_at: formatInstantOrNull(delivery.cancelled_at),
      returned_at: formatInstantOrNull(delivery.returned_at),
      updated_at: formatInstant(delivery.updated_at),
    } satisfies TrackedDelivery;
  },

  trackedCourier(deps, delivery, { name, lat, lng, location_at, heading }): TrackedCourier {
    const first = { name: deps.tracking.firstName(name) };
    if (!deps.tracking.showsPosition(deps, delivery)) return first;
    return { ...first, lat, lng, location_at: formatInstantOrNull(location_at), heading };
  },

  /** A subscription without its secret. */
  webhook(webhook): Complete<"Webhook"> {
    return {
      id: webhook.id,
      url: webhook.url,
      description: webhook.description,
      event_types: webhook.event_types,
      status: webhook.status,
      failing_since: formatInstantOrNull(webhook.failing_since),
      created_at: formatInstant(webhook.created_at),
    };
  },

  page(deps, items, next, more): Complete<"DeliveryPage"> {
    return {
      items: items.map((delivery) => deps.views.delivery(deps, delivery)),
      next_cursor: next,
      has_more: more,
    };
  },
};
