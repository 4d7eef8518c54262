import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";
import { alterStoreRecords, measureFromFirstLocations, showCurrentMeasures } from "../operators/stores.ts";
import { hundredthsOrNull } from "./stores.ts";

/** Faults of the distance that is measured from a store. */
export const storesDistancesMutants: Mutants = {
  "distance-from-hundredths": {
    fault: "distances are measured from the store's coordinates rounded to two decimals",
    breaks: [{ clause: "STORE-9" }],
    caughtBy: ["stores.measured-from-the-store"],
    mutate: (deps) => ({
      ...deps,
      serviceArea: {
        ...deps.serviceArea,
        assess: (running, store, to) =>
          deps.serviceArea.assess(
            running,
            { ...store, lat: hundredthsOrNull(store.lat), lng: hundredthsOrNull(store.lng) },
            to,
          ),
      },
    }),
  },
  "distance-from-the-stores-first-location": {
    fault: "distances use a store's location at the first computation",
    breaks: breaking(["after a second move, only to the east", "after its return"], "STORE-9", "REG-4"),
    caughtBy: ["stores.measured-after-a-move"],
    mutate: (deps) => measureFromFirstLocations()(deps),
  },
  "distance-follows-the-store": {
    fault: "the distance is measured from the store's current location at each reading",
    breaks: [{ clause: "DLV-78" }],
    mutate: showCurrentMeasures(({ distance_m }) => ({ distance_m })),
  },
  "patched-address-measured-from-the-first-store": {
    fault: "the distance to a delivery's new address is measured from the integrator's first store",
    breaks: [{ clause: "PATCH-3", case: "after its move" }],
    caughtBy: ["stores.measured-after-a-move"],
    mutate: replaceOperation("updateDelivery", (call, original) => {
      const altered = alterStoreRecords((stores) => ({
        async findById(db, id) {
          const store = await stores.findById(db, id);
          const [first] = await stores.list(db, call.integrator.id);
          return store && { ...store, lat: first?.lat ?? null, lng: first?.lng ?? null };
        },
      }));
      return original({ ...call, deps: altered(call.deps) });
    }),
  },
  "distance-east-and-west-as-on-the-equator": {
    fault: "the distance treats degrees of longitude as long as degrees of latitude",
    breaks: [
      { clause: "STORE-9", case: "to the east" },
      { clause: "STORE-9", case: "to the west" },
    ],
    caughtBy: ["stores.measured-from-the-store"],
    mutate: (deps) => ({
      ...deps,
      distance: {
        ...deps.distance,
        straightM: (from, to) => Math.round(111_195 * Math.hypot(to.lat - from.lat, to.lng - from.lng)),
      },
    }),
  },
};
