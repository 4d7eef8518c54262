import { poll } from "../../core/clock.ts";
import type { Schemas } from "../../core/contract/document.ts";
import { textMember } from "../../core/json.ts";
import type { Api } from "../session/http/api.ts";
import { type Entry, storesOf } from "../session/lists/list-entries.ts";
import { LIST_LAG_MS } from "../session/lists/list-readings.ts";
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

/**
 * Waits until the list's entry of a store satisfies a condition, because the list may lag (OPEN-146).
 * @returns the last entry that was read
 */
export async function waitForEntry(
  api: Api,
  id: string,
  satisfies: (entry: Entry) => boolean,
): Promise<Entry> {
  const readEntry = async () => storesOf(await api.call("listStores")).find((store) => store.id === id) ?? {};
  const satisfyingEntry = async (): Promise<Entry | undefined> => {
    const entry = await readEntry();
    return satisfies(entry) ? entry : undefined;
  };
  return (await poll(satisfyingEntry, { within: LIST_LAG_MS, every: 200 })) ?? readEntry();
}
