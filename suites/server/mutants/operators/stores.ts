import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Parts } from "../../../../reference-server/parts.ts";

/** Links a store that should have been refused, as if the code were valid. */
export async function linkStoreUnchecked({
  parts,
  integrator,
  body,
  now,
}: Call<"registerStore">): Promise<void> {
  const { pairing, stores } = parts.records;
  await parts.transaction(parts, async (tx) => {
    const restaurant = await pairing.restaurantNamed(tx, null, parts.ids.uuid());
    await stores.insert(tx, {
      id: parts.ids.uuid(),
      integrator_id: integrator.id,
      external_store_id: body.external_store_id,
      restaurant_id: restaurant.id,
      company: await pairing.companyNamed(tx, "Örnek Kurye", parts.ids.uuid()),
      status: "ACTIVE",
      created_at: now,
      updated_at: now,
      settings: parts.storeDefaults,
      name: body.name,
      phone: null,
      address_text: body.address.text,
      lat: body.address.lat ?? null,
      lng: body.address.lng ?? null,
    });
  });
}

type StoreRecords = Parts["records"]["stores"];

/** A server with other database queries for stores. */
export const alterStoreRecords =
  (change: (stores: StoreRecords) => Partial<StoreRecords>) =>
  (parts: Parts): Parts => ({
    ...parts,
    records: { ...parts.records, stores: { ...parts.records.stores, ...change(parts.records.stores) } },
  });

/** A server that treats stores of one status as active. */
export const treatAsActive = (status: "SUSPENDED" | "CLOSED") =>
  alterStoreRecords((stores) => ({
    async find(db, integratorId, externalStoreId) {
      const store = await stores.find(db, integratorId, externalStoreId);
      return store && (store.status === status ? { ...store, status: "ACTIVE" } : store);
    },
  }));

/** A server that accepts used pairing codes, and doesn't mark codes as used. */
export const ignoreUseOfCodes = (parts: Parts): Parts => ({
  ...parts,
  pairing: { refusal: (code, ageMs) => parts.pairing.refusal({ ...code, used_at: null }, ageMs) },
  records: { ...parts.records, pairing: { ...parts.records.pairing, useCode: async () => true } },
});
