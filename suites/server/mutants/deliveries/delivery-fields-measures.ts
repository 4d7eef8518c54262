import type { Mutants } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { overwriteDelivery } from "../operators/deliveries.ts";
import { replaceOperation } from "../operators/operations.ts";

export const deliveryFieldsMeasuresMutants: Mutants = {
  "distance-of-0-is-null": {
    fault: "distance_m is null at the restaurant itself",
    breaks: [{ clause: "DLV-41" }],
    mutate: alterDelivery(({ distance_m }) => ({ distance_m: distance_m || null })),
  },
  "distance-by-road": {
    fault: "distance_m is the road distance",
    breaks: [{ clause: "DLV-41" }],
    mutate: alterDelivery(({ road_km }) => ({ distance_m: road_km && Math.round(road_km * 1000) })),
  },
  "distance-on-a-flat-map": {
    fault: "the distance treats degrees of longitude as long as degrees of latitude",
    breaks: [{ clause: "DLV-41" }],
    mutate: (deps) => ({
      ...deps,
      distance: {
        ...deps.distance,
        straightM: (from, to) => Math.round(Math.hypot(to.lat - from.lat, to.lng - from.lng) * 111_195),
      },
    }),
  },
  "distance-in-hundreds-of-metres": {
    fault: "distance_m is rounded to hundreds of metres",
    breaks: [{ clause: "DLV-41" }],
    mutate: alterDelivery(({ distance_m }) => ({
      distance_m: distance_m && Math.round(distance_m / 100) * 100,
    })),
  },
  "estimates-swapped": {
    fault: "eta_pickup_at and eta_dropoff_at are swapped",
    breaks: [{ clause: "DLV-85" }],
    mutate: alterDelivery(({ eta_pickup_at, eta_dropoff_at }) => ({
      eta_pickup_at: eta_dropoff_at ?? null,
      eta_dropoff_at: eta_pickup_at ?? null,
    })),
  },
  "distance-to-ignored-coordinates": {
    fault: "the distance is computed from coordinates that should be ignored",
    breaks: [{ clause: "DLV-61" }],
    mutate: replaceOperation("createDelivery", async (call, original) => {
      const { deps, integrator, body } = call;
      const reply = await original(call);
      const { lat, lng } = body.dropoff;
      const store = await deps.records.stores.findById(deps.database, reply.body.store_id);
      if (lat === undefined || lng === undefined || store?.lat == null || store.lng === null) return reply;
      const from = { lat: store.lat, lng: store.lng };
      const distance_m = deps.distance.straightM(from, { lat, lng });
      await overwriteDelivery({ deps, integrator }, reply.body.id, { distance_m });
      return reply;
    }),
  },
  "distance-0-without-a-location": {
    fault: "distance_m is 0 instead of null without a location",
    breaks: [{ clause: "DLV-42" }],
    mutate: alterDelivery(({ distance_m }) => ({ distance_m: distance_m ?? 0 })),
  },
  "distance-0-is-null": {
    fault: "distance_m is null instead of 0 at the restaurant's location",
    breaks: [{ clause: "STORE-9", case: "at the store itself" }],
    caughtBy: ["stores.measured-from-the-store"],
    mutate: alterDelivery(({ distance_m }) => ({ distance_m: distance_m || null })),
  },
  "road-in-metres": {
    fault: "road_km is in metres",
    breaks: [{ clause: "DLV-59" }],
    mutate: alterDelivery(({ road_km }) => ({ road_km: road_km && road_km * 1000 })),
  },
  "road-km-is-text": {
    fault: "road_km is a string with a unit",
    breaks: [{ clause: "DLV-43", case: "with coordinates" }],
    mutate: alterDelivery(({ road_km }) => ({ road_km: road_km && `${road_km} km` })),
  },
};
