import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";

/** Links a store that should have been refused, as if the code were valid. */
export async function linkStoreUnchecked({
  deps,
  integrator,
  body,
  now,
}: Call<"registerStore">): Promise<void> {
  const { pairing, stores } = deps.records;
  await deps.transaction(async (tx) => {
    const restaurant = await pairing.restaurantNamed(tx, null, deps.ids.uuid());
    await stores.insert(tx, {
      id: deps.ids.uuid(),
      integrator_id: integrator.id,
      external_store_id: body.external_store_id,
      restaurant_id: restaurant.id,
      company: await pairing.companyNamed(tx, "Örnek Kurye", deps.ids.uuid()),
      status: "ACTIVE",
      created_at: now,
      updated_at: now,
      settings: deps.storeDefaults,
      name: body.name,
      phone: null,
      address_text: body.address.text,
      lat: body.address.lat ?? null,
      lng: body.address.lng ?? null,
    });
  });
}

type StoreRecords = Dependencies["records"]["stores"];

export const alterStoreRecords =
  (change: (stores: StoreRecords) => Partial<StoreRecords>) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    records: { ...deps.records, stores: { ...deps.records.stores, ...change(deps.records.stores) } },
  });

export const treatAsActive = (status: "SUSPENDED" | "CLOSED") =>
  alterStoreRecords((stores) => ({
    async find(db, integratorId, externalStoreId) {
      const store = await stores.find(db, integratorId, externalStoreId);
      return store && (store.status === status ? { ...store, status: "ACTIVE" } : store);
    },
  }));

/** A server that accepts used pairing codes, and doesn't mark codes as used. */
export const ignoreUseOfCodes = (deps: Dependencies): Dependencies => ({
  ...deps,
  pairing: { refusal: (code, ageMs) => deps.pairing.refusal({ ...code, used_at: null }, ageMs) },
  records: { ...deps.records, pairing: { ...deps.records.pairing, useCode: async () => true } },
});
