import { isDeepStrictEqual } from "node:util";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery, Store } from "../../../../reference-server/domain/model.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterUpdate, findDelivery } from "../operators/deliveries.ts";
import { alterCreation, onRefusal, replaceOperation } from "../operators/operations.ts";
import { alterStoreRecords, treatAsActive } from "../operators/stores.ts";

/** A server that accepts some orders for stores with a status as if they were active. */
const acceptOrdersWhile = (
  status: "SUSPENDED" | "CLOSED",
  applies: (order: Schemas["NewDelivery"]) => boolean,
): Mutate =>
  replaceOperation("createDelivery", (call, original) =>
    original(applies(call.body) ? { ...call, deps: treatAsActive(status)(call.deps) } : call),
  );

/** A server in which a repeated registration makes a store with a status active. */
const reopenOnRepeat = (status: "SUSPENDED" | "CLOSED"): Mutate =>
  alterStoreRecords((stores) => ({
    async update(tx, store) {
      await stores.update(tx, store);
      if (store.status === status) await stores.configure(tx, { ...store, status: "ACTIVE" });
    },
  }));

const isScheduled = ({ scheduled_for }: Schemas["NewDelivery"]) => scheduled_for !== undefined;
const isPrepaid = ({ payment }: Schemas["NewDelivery"]) => payment.prepaid === true;

const serveAnyDistance: Mutate = (deps) => ({
  ...deps,
  serviceArea: {
    ...deps.serviceArea,
    assess: (...given) => ({ ...deps.serviceArea.assess(...given), within: true }),
  },
});

const acceptFarOrdersIf = (applies: (order: Schemas["NewDelivery"]) => boolean): Mutate =>
  replaceOperation("createDelivery", (call, original) =>
    original(applies(call.body) ? { ...call, deps: serveAnyDistance(call.deps) } : call),
  );

const acceptFarChangesIf = (applies: (before: Delivery) => boolean): Mutate =>
  replaceOperation("updateDelivery", async (call, original) => {
    const before = await findDelivery(call);
    const anywhere = before !== undefined && applies(before);
    return original(anywhere ? { ...call, deps: serveAnyDistance(call.deps) } : call);
  });

/** A server that keeps a delivery's values at each new drop-off after the first. */
const keepAfterFirstMove = (valuesOf: (before: Delivery) => Partial<Delivery>): Mutate => {
  const moved = new Set<string>();
  return alterUpdate((after, before) => {
    // Different places may have the same address text.
    if (isDeepStrictEqual(after.dropoff.point, before.dropoff.point)) return {};
    if (moved.has(after.id)) return valuesOf(before);
    moved.add(after.id);
    return {};
  });
};

/** A server where some operations decide by each store's first location whether an address is served. */
const serveAroundFirstLocations =
  (replace: (change: (deps: Dependencies) => Dependencies) => Mutate): Mutate =>
  (deps) => {
    const first = new Map<string, Pick<Store, "lat" | "lng">>();
    const remembering = alterStoreRecords((stores) => ({
      async insert(tx, store) {
        first.set(store.id, { lat: store.lat, lng: store.lng });
        await stores.insert(tx, store);
      },
    }))(deps);
    return replace((given) => ({
      ...given,
      serviceArea: {
        ...given.serviceArea,
        assess: (running, store, to) => ({
          ...given.serviceArea.assess(running, store, to),
          within: given.serviceArea.assess(running, { ...store, ...first.get(store.id) }, to).within,
        }),
      },
    }))(remembering);
  };

const addressAlone = ({ text }: Schemas["NewDropoff"]) => ({ text });

export const serviceAreaMutants: Mutants = {
  "area-has-no-end": {
    fault: "no drop-off is outside the area",
    breaks: [{ clause: "NEW-49" }, { clause: "PATCH-5" }, { clause: "QUOTE-5" }],
    caughtBy: ["quotes.far", "service-area.far-change", "service-area.far-order"],
    mutate: serveAnyDistance,
  },
  "createQuote-with-the-area-of-the-first-location": {
    fault: "a quote after a store's move uses the service area around its first location",
    breaks: [{ clause: "QUOTE-5" }],
    caughtBy: ["service-area.after-a-move"],
    mutate: serveAroundFirstLocations((change) =>
      replaceOperation("createQuote", (call, original) => original({ ...call, deps: change(call.deps) })),
    ),
  },
  "createDelivery-with-the-area-of-the-first-location": {
    fault: "an order after a store's move is judged by the service area around its first location",
    breaks: [{ clause: "NEW-49" }],
    caughtBy: ["service-area.after-a-move"],
    mutate: serveAroundFirstLocations((change) =>
      replaceOperation("createDelivery", (call, original) => original({ ...call, deps: change(call.deps) })),
    ),
  },
  "updateDelivery-with-the-area-of-the-first-location": {
    fault: "a new address after a store's move is judged by the service area around its first location",
    breaks: [{ clause: "PATCH-5" }],
    caughtBy: ["service-area.after-a-move"],
    mutate: serveAroundFirstLocations((change) =>
      replaceOperation("updateDelivery", (call, original) => original({ ...call, deps: change(call.deps) })),
    ),
  },
  "suspended-store-is-not-listed": {
    fault: "a suspended store isn't in the list of stores",
    breaks: [{ clause: "REG-27" }],
    mutate: alterStoreRecords((stores) => ({
      list: async (...given) => (await stores.list(...given)).filter(({ status }) => status !== "SUSPENDED"),
    })),
  },
  "suspended-store-is-not-found": {
    fault: "a suspended store counts as unknown",
    breaks: [{ clause: "REG-27" }],
    mutate: replaceOperation("getStore", async (call, original) => {
      const { deps, integrator, path } = call;
      const store = await deps.records.stores.find(deps.database, integrator.id, path.external_store_id);
      if (store?.status === "SUSPENDED") throw new DomainError("BULUNAMADI");
      return original(call);
    }),
  },
  "suspended-store-accepts-orders": {
    fault: "an order for a suspended store is accepted",
    breaks: [{ clause: "NEW-47" }],
    mutate: acceptOrdersWhile("SUSPENDED", () => true),
  },
  "suspended-store-accepts-orders-without-coordinates": {
    fault: "an order without coordinates for a suspended store is accepted",
    breaks: [{ clause: "NEW-47" }],
    mutate: acceptOrdersWhile("SUSPENDED", ({ dropoff }) => dropoff.lat === undefined),
  },
  "suspended-store-accepts-scheduled-orders": {
    fault: "a scheduled order for a suspended store is accepted",
    breaks: [{ clause: "NEW-47", case: "scheduled for tomorrow, with a PIN" }],
    mutate: acceptOrdersWhile("SUSPENDED", isScheduled),
  },
  "suspended-store-accepts-prepaid-orders": {
    fault: "a prepaid order for a suspended store is accepted",
    breaks: [{ clause: "NEW-47", case: "prepaid, in several packages" }],
    mutate: acceptOrdersWhile("SUSPENDED", isPrepaid),
  },
  "suspension-affects-all-stores": {
    fault: "while one store of an integrator is suspended, orders for its other stores are refused too",
    breaks: [{ clause: "NEW-59" }],
    mutate: replaceOperation("createDelivery", async (call, original) => {
      const { records, database } = call.deps;
      const stores = await records.stores.list(database, call.integrator.id);
      if (stores.some(({ status }) => status === "SUSPENDED")) throw new DomainError("MAGAZA_PASIF");
      return original(call);
    }),
  },
  "repeat-reopens-a-suspended-store": {
    fault: "a repeated registration makes a suspended store active",
    breaks: [{ clause: "NEW-47" }],
    mutate: reopenOnRepeat("SUSPENDED"),
  },
  "repeat-reopens-a-closed-store": {
    fault: "a repeated registration makes a closed store active",
    breaks: [{ clause: "NEW-48" }],
    mutate: reopenOnRepeat("CLOSED"),
  },
  "closed-store-accepts-orders": {
    fault: "an order for a closed store is accepted",
    breaks: [{ clause: "NEW-48" }],
    mutate: acceptOrdersWhile("CLOSED", () => true),
  },
  "closed-store-accepts-orders-without-coordinates": {
    fault: "an order without coordinates for a closed store is accepted",
    breaks: [{ clause: "NEW-48" }],
    mutate: acceptOrdersWhile("CLOSED", ({ dropoff }) => dropoff.lat === undefined),
  },
  "closed-store-accepts-scheduled-orders": {
    fault: "a scheduled order for a closed store is accepted",
    breaks: [{ clause: "NEW-48", case: "scheduled for tomorrow, with a PIN" }],
    mutate: acceptOrdersWhile("CLOSED", isScheduled),
  },
  "order-refused-for-the-store-but-created": {
    fault: "an order for a suspended store is refused, but created",
    breaks: [{ clause: "NEW-47" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("MAGAZA_PASIF", original(call), async (refusal) => {
        const deps = treatAsActive("CLOSED")(treatAsActive("SUSPENDED")(call.deps));
        await original({ ...call, headers: { "Idempotency-Key": deps.ids.uuid() }, deps });
        throw refusal;
      }),
    ),
  },
  "out-of-area-answers-400": {
    fault: "HIZMET_DISI is returned with 400",
    breaks: [{ clause: "NEW-49" }],
    caughtBy: ["service-area.far-order"],
    mutate: (deps) => ({
      ...deps,
      errors: { ...deps.errors, HIZMET_DISI: { ...deps.errors.HIZMET_DISI, status: 400 } },
    }),
  },
  "far-order-is-received": {
    fault: "coordinates outside the area are ignored like those outside the country",
    breaks: [{ clause: "NEW-49" }],
    caughtBy: ["service-area.far-order"],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), () =>
        original({ ...call, body: { ...call.body, dropoff: addressAlone(call.body.dropoff) } }),
      ),
    ),
  },
  "far-schedule-is-accepted": {
    fault: "a scheduled order outside the area is accepted",
    breaks: [{ clause: "NEW-49", case: "scheduled for tomorrow, with a PIN" }],
    caughtBy: ["service-area.far-order"],
    mutate: acceptFarOrdersIf(isScheduled),
  },
  "far-prepaid-order-is-accepted": {
    fault: "a prepaid order outside the area is accepted",
    breaks: [{ clause: "NEW-49", case: "prepaid, in several packages" }],
    caughtBy: ["service-area.far-order"],
    mutate: acceptFarOrdersIf(isPrepaid),
  },
  "far-order-keeps-its-reference": {
    fault: "the external_ref of an order that was refused with HIZMET_DISI can't be used again",
    breaks: [{ clause: "NEW-63" }],
    mutate: (deps) => {
      const taken = new Set<string>();
      return alterCreation((call, create) => {
        const { external_ref } = call.body;
        if (taken.has(external_ref))
          throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: call.deps.ids.uuid() });
        return onRefusal("HIZMET_DISI", create(call), (refusal) => {
          taken.add(external_ref);
          throw refusal;
        });
      })(deps);
    },
  },
  "out-of-area-without-details": {
    fault: "HIZMET_DISI has no details",
    breaks: [{ clause: "NEW-50" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async () => {
        throw new DomainError("HIZMET_DISI");
      }),
    ),
  },
  "out-of-area-details-swapped": {
    fault: "HIZMET_DISI has road_km and max_km swapped",
    breaks: [{ clause: "NEW-50" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async ({ details }) => {
        const swapped = {
          road_km: Reflect.get(details ?? {}, "max_km"),
          max_km: Reflect.get(details ?? {}, "road_km"),
        };
        throw new DomainError("HIZMET_DISI", swapped);
      }),
    ),
  },
  "out-of-area-has-another-max-km": {
    fault: "max_km of HIZMET_DISI is always 15",
    breaks: [{ clause: "NEW-50" }, { clause: "NEW-54" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async ({ details }) => {
        throw new DomainError("HIZMET_DISI", { ...details, max_km: 15 });
      }),
    ),
  },
  "out-of-area-details-in-metres": {
    fault: "road_km of HIZMET_DISI is in metres",
    breaks: [{ clause: "NEW-50" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async ({ details }) => {
        const road_km = 1000 * Number(Reflect.get(details ?? {}, "road_km"));
        throw new DomainError("HIZMET_DISI", { ...details, road_km });
      }),
    ),
  },
  "fee-stays-when-moved-again": {
    fault: "only the first new address changes the fee",
    breaks: [{ clause: "PATCH-4" }],
    caughtBy: ["service-area.fee-of-a-new-address", "service-area.fee-of-an-assigned-delivery"],
    mutate: keepAfterFirstMove(({ fee }) => ({ fee })),
  },
  "moved-again-delivery-keeps-its-road": {
    fault: "only the first new address changes road_km",
    breaks: [{ clause: "PATCH-26" }],
    mutate: keepAfterFirstMove(({ road_km }) => ({ road_km })),
  },
  "moved-delivery-keeps-its-road": {
    fault: "a new address doesn't change road_km",
    breaks: [{ clause: "PATCH-26" }],
    mutate: alterUpdate((after, before) => ({ road_km: before.road_km ?? after.road_km })),
  },
  "far-change-is-ignored": {
    fault: "a new address outside the area is ignored with 200",
    breaks: [{ clause: "PATCH-5" }],
    caughtBy: ["service-area.far-change"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), () => {
        const { dropoff: _far, ...body } = call.body;
        return original({ ...call, body });
      }),
    ),
  },
  "far-change-without-details": {
    fault: "HIZMET_DISI for a new address has no details",
    breaks: [{ clause: "ERR-7" }],
    caughtBy: ["service-area.far-change"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async () => {
        throw new DomainError("HIZMET_DISI");
      }),
    ),
  },
  "far-change-without-the-limit": {
    fault: "HIZMET_DISI for a new address has road_km without max_km",
    breaks: [{ clause: "ERR-7" }],
    caughtBy: ["service-area.far-change"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async () => {
        throw new DomainError("HIZMET_DISI", { road_km: 250 });
      }),
    ),
  },
  "far-added-coordinates-accepted": {
    fault: "coordinates outside the area can be added to a delivery without coordinates",
    breaks: [{ clause: "PATCH-5", case: "without coordinates" }],
    caughtBy: ["service-area.far-change"],
    mutate: acceptFarChangesIf(({ status }) => status === "RECEIVED"),
  },
  "far-change-of-a-schedule-is-accepted": {
    fault: "a scheduled delivery accepts a new address outside the area",
    breaks: [{ clause: "PATCH-5", case: "scheduled for tomorrow, with a PIN" }],
    caughtBy: ["service-area.far-change"],
    mutate: acceptFarChangesIf(({ scheduled_for }) => scheduled_for !== null),
  },
  "far-change-of-a-prepaid-order-is-accepted": {
    fault: "a prepaid delivery accepts a new address outside the area",
    breaks: [{ clause: "PATCH-5", case: "prepaid, in several packages" }],
    caughtBy: ["service-area.far-change"],
    mutate: acceptFarChangesIf(({ payment }) => payment.prepaid),
  },
  "assigned-delivery-accepts-far-addresses": {
    fault: "an assigned delivery accepts a new address outside the area",
    breaks: [{ clause: "PATCH-5" }],
    caughtBy: ["service-area.change-of-an-assigned-delivery"],
    mutate: acceptFarChangesIf(({ status }) => status === "ASSIGNED"),
  },
  "assigned-delivery-keeps-its-distance": {
    fault: "a new address of an assigned delivery doesn't change its distance",
    breaks: [{ clause: "PATCH-23" }],
    mutate: alterUpdate((_after, { status, distance_m, road_km }) =>
      status === "ASSIGNED" ? { distance_m, road_km } : {},
    ),
  },
  "assigned-delivery-keeps-its-fee": {
    fault: "a new address of an assigned delivery doesn't change its fee",
    breaks: [{ clause: "PATCH-4" }],
    caughtBy: ["service-area.fee-of-an-assigned-delivery"],
    mutate: alterUpdate((_after, { status, fee }) => (status === "ASSIGNED" ? { fee } : {})),
  },
  "far-change-kept-though-refused": {
    fault: "a new address outside the area is refused, but its text is stored",
    breaks: [{ clause: "PATCH-6" }],
    caughtBy: ["service-area.far-change"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async (refusal) => {
        const text = call.body.dropoff?.text ?? "";
        await original({ ...call, body: { dropoff: { text } } });
        throw refusal;
      }),
    ),
  },
};
