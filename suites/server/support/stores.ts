import type { Schemas } from "../../core/contract/document.ts";
import { textMember } from "../../core/json.ts";
import { restaurantName, streetAddress } from "../session/sample-data/sample-data.ts";
import type { LinkedStore } from "../session/stores/stores.ts";

export type Registration = Schemas["StoreRegistration"];

/**
 * A complete repeat of a store's registration, since the effect of omitted fields is open (OPEN-104). Values that the
 * target's store lacks are made up, or left out if they are optional: another check reports them.
 */
export const repeatRegistration = (
  store: LinkedStore,
  changes: Partial<Registration> = {},
): Registration => ({
  external_store_id: store.external_store_id,
  name: textMember(store, "name") ?? restaurantName(),
  phone: "+902125550100",
  address: {
    text: textMember(store, "address_text") ?? streetAddress(),
    ...(store.lat != null && store.lng != null && { lat: store.lat, lng: store.lng }),
  },
  ...changes,
});

/** A code of the same form, far from any that was issued one after the other: each letter and digit another one. */
export const neverIssued = (code: string): string =>
  code.replaceAll(/[A-Za-z0-9]/g, (one) => {
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ", ..."abcdefghijklmnopqrstuvwxyz", ..."0123456789"];
    const [first, size] = one < "A" ? [52, 10] : one < "a" ? [0, 26] : [26, 26];
    return alphabet[first + ((alphabet.indexOf(one) - first + size / 2) % size)] ?? one;
  });
