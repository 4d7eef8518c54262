/** Request bodies for tests. */

const somewhere = { lat: 41.0082, lng: 28.9784 };

/** A body for POST /v1/stores. */
export function store(pairing_code: unknown): object {
  return {
    external_store_id: "s1",
    pairing_code,
    name: "Moda Mutfak",
    address: { text: "Sultanahmet Meydanı 1", ...somewhere },
  };
}

/** A body for POST /v1/deliveries with a point, so that the delivery is queued immediately. */
export function order(external_ref: string, more: object = {}): object {
  return {
    external_ref,
    store: { external_store_id: "s1" },
    customer: { name: "Ayşe Yılmaz", phone: "0532 555 01 23" },
    dropoff: { text: "Divanyolu Caddesi 12", lat: 41.02, lng: 28.99 },
    payment: { type: "NAKIT", amount_due: 245.5 },
    ...more,
  };
}
