import type { Schemas } from "../../core/contract/document.ts";
import type { LinkedStore } from "../session/stores.ts";

export type Registration = Schemas["StoreRegistration"];

/** A complete repeat of a store's registration: what becomes of omitted fields is open (OPEN-104). */
export const repeatRegistration = (
  store: LinkedStore,
  changes: Partial<Registration> = {},
): Registration => ({
  external_store_id: store.external_store_id,
  name: store.name,
  phone: "+902125550100",
  address: { text: store.address_text, lat: Number(store.lat), lng: Number(store.lng) },
  ...changes,
});
