/** What is asked of every server that is measured. */
import type { components } from "../../../openapi/generated/courier-dispatch.ts";

export type Delivery = components["schemas"]["Delivery"];
export type NewDelivery = components["schemas"]["NewDelivery"];

/** An order that is queued at once. */
export function order(external_ref: string): NewDelivery {
  return {
    external_ref,
    store: { external_store_id: "s1" },
    customer: { name: "Ayşe Yılmaz", phone: "0532 555 01 23" },
    dropoff: { text: "Divanyolu Caddesi 12", lat: 41.02, lng: 28.99 },
    payment: { type: "NAKIT", amount_due: 245.5 },
  };
}
