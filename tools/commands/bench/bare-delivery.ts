/** A delivery as the bare routes write it: the columns of the reference server's table, and as much JSON. */
import { randomUUID } from "node:crypto";
import type { NewDelivery } from "./order.ts";

export interface BareDelivery {
  readonly id: string;
  /** id, integrator, store, reference, tracking key, status, version, change number, created and updated. */
  readonly columns: readonly [string, string, string, string, string, string, number, number, number, number];
  readonly body: object;
}

const storeId = randomUUID();

export function bareDelivery(order: NewDelivery, integratorId: string, changeNumber: number): BareDelivery {
  const id = randomUUID();
  const trackingKey = randomUUID();
  const reference = order.external_ref;
  const now = Date.now();
  const time = new Date(now).toISOString();
  const later = new Date(now + 1_800_000).toISOString();
  return {
    id,
    columns: [id, integratorId, storeId, reference, trackingKey, "QUEUED", 1, changeNumber, now, now],
    body: {
      id,
      external_ref: reference,
      store_id: storeId,
      status: "QUEUED",
      version: 1,
      courier: null,
      dropoff: {
        ...order.dropoff,
        source: "INTEGRATOR",
        ref: null,
        candidates: null,
        district: null,
        neighborhood: null,
        city: null,
      },
      payment: {
        ...order.payment,
        collected_type: null,
        collected_parts: null,
        subtotal: null,
        discount: null,
      },
      customer: { ...order.customer, phone_extension: null, note: null },
      items: [],
      scheduled_for: null,
      notes: null,
      origin_channel: "POS",
      package_count: 1,
      prepaid: false,
      test: false,
      fee: { amount: 66.3, currency: "TRY", vat_included: false },
      distance_m: 1631,
      road_km: 2.1,
      tracking_url: `http://127.0.0.1:12345/t/${trackingKey}`,
      eta_pickup_at: time,
      eta_dropoff_at: later,
      ready_at: null,
      assigned_at: null,
      picked_up_at: null,
      delivered_at: null,
      cancelled_at: null,
      returned_at: null,
      created_at: time,
      updated_at: time,
      delivery_pin: null,
      pin_required: false,
      failure_reason: null,
      cancel_reason: null,
      unassigned_alert_at: null,
      loss: null,
    },
  };
}
