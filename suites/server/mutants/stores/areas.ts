import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Mutants } from "../mutant.ts";
import { withoutMembers } from "../operators/answers.ts";
import { replaceOperation, respondWith } from "../operators/operations.ts";

type Area = ReturnType<Dependencies["views"]["area"]>;
type Store = Parameters<Dependencies["views"]["area"]>[0];

const alterArea =
  (change: (area: Area, store: Store, deps: Dependencies) => Area) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    views: { ...deps.views, area: (store) => change(deps.views.area(store), store, deps) },
  });

export const areaMutants: Mutants = {
  "area-list-is-bare": {
    fault: "the list of delivery areas is an array without a wrapper",
    breaks: [{ clause: "AREA-6" }],
    mutate: replaceOperation("listDeliveryAreas", async (call, original) => {
      const { items } = (await original(call)).body;
      return respondWith(200, Object.assign([...items], { items }));
    }),
  },
  "area-has-another-store-id": {
    fault: "store_id of an area isn't the store's id",
    breaks: [{ clause: "AREA-3" }],
    caughtBy: ["areas.of-own-stores"],
    mutate: alterArea((area, { restaurant_id }) => ({ ...area, store_id: restaurant_id })),
  },
  "area-external-id-in-capitals": {
    fault: "external_store_id of an area is in upper case",
    breaks: [{ clause: "AREA-3" }],
    caughtBy: ["areas.of-own-stores"],
    mutate: alterArea((area) => ({ ...area, external_store_id: area.external_store_id.toUpperCase() })),
  },
  "area-external-id-cut-at-64": {
    fault: "a long external_store_id is cut in an area",
    breaks: [{ clause: "AREA-3", case: "a second store" }],
    caughtBy: ["areas.of-two-stores"],
    mutate: alterArea((area) => ({ ...area, external_store_id: area.external_store_id.slice(0, 64) })),
  },
  "area-centre-of-the-first-store": {
    fault: "every area has the first store's centre",
    breaks: [{ clause: "AREA-4", case: "a second store" }],
    caughtBy: ["areas.of-two-stores"],
    mutate: replaceOperation("listDeliveryAreas", async (call, original) => {
      const { items } = (await original(call)).body;
      return respondWith(200, {
        items: items.map((area) => ({ ...area, center: items[0]?.center ?? null })),
      });
    }),
  },
  "area-without-radius": {
    fault: "an area has no radius_m",
    breaks: [{ clause: "AREA-2", case: "radius_m" }],
    mutate: alterArea((area) => withoutMembers(area, "radius_m")),
  },
  "areas-are-read-once": {
    fault: "the area of a store stays as it was when it was first listed",
    breaks: [{ clause: "AREA-4" }],
    caughtBy: ["areas.circle"],
    mutate: (deps) => {
      const shown = new Map<string, Area>();
      return alterArea((area, { id }) => {
        const first = shown.get(id) ?? area;
        shown.set(id, first);
        return { ...area, center: first.center ?? null };
      })(deps);
    },
  },
  "area-centre-stays-behind": {
    fault: "an area's centre isn't updated when its store's location changes",
    breaks: [{ clause: "AREA-4" }],
    caughtBy: ["areas.circle"],
    mutate: (deps) => {
      const firstCenters = new Map<string, { lat: number; lng: number }>();
      const { stores } = deps.records;
      return {
        ...alterArea((area, { id }) => ({ ...area, center: firstCenters.get(id) ?? area.center ?? null }))(
          deps,
        ),
        records: {
          ...deps.records,
          stores: {
            ...stores,
            async insert(tx, store) {
              if (store.lat !== null && store.lng !== null)
                firstCenters.set(store.id, { lat: store.lat, lng: store.lng });
              await stores.insert(tx, store);
            },
          },
        },
      };
    },
  },
  "area-centre-loses-the-fifth-decimal": {
    fault: "the centre of an area is rounded to four decimals",
    breaks: [{ clause: "AREA-4" }],
    caughtBy: ["areas.circle"],
    mutate: alterArea((area, { lat, lng }) => ({
      ...area,
      center: { lat: Math.round((lat ?? 0) * 1e4) / 1e4, lng: Math.round((lng ?? 0) * 1e4) / 1e4 },
    })),
  },
  "area-centre-is-null": {
    fault: "an area has no centre",
    breaks: [{ clause: "AREA-4" }],
    caughtBy: ["areas.circle"],
    mutate: alterArea((area) => ({ ...area, center: null })),
  },
  "area-radius-is-null": {
    fault: "an area has no radius",
    breaks: [{ clause: "AREA-5" }],
    mutate: alterArea((area) => ({ ...area, radius_m: null })),
  },
  "area-has-no-effect": {
    fault: "addresses within 15 km are served, regardless of the area's radius",
    breaks: [{ clause: "AREA-8", case: "2500 m" }],
    mutate: (deps) => ({
      ...deps,
      serviceArea: {
        ...deps.serviceArea,
        assess: (given, store, to) => {
          const assessed = deps.serviceArea.assess(given, store, to);
          return { ...assessed, within: Number(assessed.distance_m) <= 15_000 };
        },
      },
    }),
  },
  "orders-within-the-default-radius": {
    fault: "orders for addresses within 15 km are accepted, regardless of the area's radius",
    breaks: [{ clause: "AREA-8", case: "2500 m" }],
    mutate: replaceOperation("createDelivery", (call, original) => {
      const { serviceArea } = call.deps;
      const assess: typeof serviceArea.assess = (given, store, to) => {
        const assessed = serviceArea.assess(given, store, to);
        return { ...assessed, within: Number(assessed.distance_m) <= 15_000 };
      };
      return original({ ...call, deps: { ...call.deps, serviceArea: { ...serviceArea, assess } } });
    }),
  },
  "area-radius-in-kilometres": {
    fault: "radius_m of an area is in kilometres",
    breaks: [{ clause: "AREA-5" }],
    mutate: alterArea((area) => ({ ...area, radius_m: Math.round(Number(area.radius_m) / 1000) })),
  },
  "area-radius-by-default": {
    fault: "radius_m of an area is always the default",
    breaks: [{ clause: "AREA-5" }, { clause: "AREA-8", case: "2500 m" }],
    mutate: alterArea((area, _store, deps) => ({ ...area, radius_m: deps.storeDefaults.radius_m })),
  },
  "area-radius-of-the-first-store": {
    fault: "every area has the radius of the first store's area",
    breaks: [{ clause: "AREA-5" }, { clause: "AREA-8", case: "2500 m" }],
    mutate: replaceOperation("listDeliveryAreas", async (call, original) => {
      const { items } = (await original(call)).body;
      return respondWith(200, {
        items: items.map((area) => ({ ...area, radius_m: items[0]?.radius_m ?? null })),
      });
    }),
  },
  "only-one-store-has-an-area": {
    fault: "the list of delivery areas contains only one area",
    breaks: [{ clause: "AREA-7", case: "the first store" }],
    mutate: replaceOperation("listDeliveryAreas", async (call, original) =>
      respondWith(200, { items: (await original(call)).body.items.slice(-1) }),
    ),
  },
  "area-of-the-newest-store-missing": {
    fault: "the list of delivery areas lacks the last one",
    breaks: [{ clause: "AREA-7", case: "the second store" }],
    mutate: replaceOperation("listDeliveryAreas", async (call, original) =>
      respondWith(200, { items: (await original(call)).body.items.slice(0, -1) }),
    ),
  },
};
