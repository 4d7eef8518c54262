import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Store } from "../../../../reference-server/domain/model.ts";
import { pointOf } from "../../../../reference-server/domain/places.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Mutate } from "../mutant.ts";
import { replaceOperation } from "./operations.ts";

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

type Assessment = ReturnType<Dependencies["serviceArea"]["assess"]>;

/** A server that measures a delivery from its store's current location at each reading. */
export const showCurrentMeasures = (pick: (current: Assessment) => Partial<Assessment>): Mutate =>
  replaceOperation("getDelivery", async (call, original) => {
    const reply = await original(call);
    const { records, database, serviceArea } = call.deps;
    const store = await records.stores.findById(database, reply.body.store_id);
    const point = pointOf(reply.body.dropoff);
    if (!store || point === null) return reply;
    return { ...reply, body: { ...reply.body, ...pick(serviceArea.assess(call.deps, store, point)) } };
  });

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

/** Dependencies that always use each store's first location. */
export function measureFromFirstLocations(): (deps: Dependencies) => Dependencies {
  const firstLocations = new Map<string, Pick<Store, "lat" | "lng">>();
  return (deps) => ({
    ...deps,
    serviceArea: {
      ...deps.serviceArea,
      assess(running, store, to) {
        const { lat, lng } = firstLocations.get(store.id) ?? store;
        firstLocations.set(store.id, { lat, lng });
        return deps.serviceArea.assess(running, { ...store, lat, lng }, to);
      },
    },
  });
}
