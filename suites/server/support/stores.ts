import type { Schemas } from "../../core/contract/document.ts";
import { textMember } from "../../core/json.ts";
import { restaurantName, streetAddress } from "../session/sample-data/sample-data.ts";
import type { LinkedStore } from "../session/stores/stores.ts";

export type Registration = Schemas["StoreRegistration"];

/**
 * A complete repetition of a store's registration, because the effect of omitted fields is unspecified
 * (OPEN-104). Missing values are generated, or omitted if they are optional: another check reports them.
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

/** A code of the same form with all letters and digits changed, far from any sequential code. */
export const neverIssued = (code: string): string =>
  code.replaceAll(/[A-Za-z0-9]/g, (one) => {
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ", ..."abcdefghijklmnopqrstuvwxyz", ..."0123456789"];
    const [first, size] = one < "A" ? [52, 10] : one < "a" ? [0, 26] : [26, 26];
    return alphabet[first + ((alphabet.indexOf(one) - first + size / 2) % size)] ?? one;
  });
