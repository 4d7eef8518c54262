import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../../../reference-server/database/schema.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { Mutant, Mutate } from "../mutant.ts";
import { alterPage, withoutMembers } from "../operators/answers.ts";
import { alterUpdate, findDelivery } from "../operators/deliveries.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";
import { treatAsActive } from "../operators/stores.ts";

type Fee = NonNullable<ReturnType<Dependencies["prices"]["fee"]>>;

/** A server with other fees. */
const charging =
  (change: (fee: Fee, roadKm: number, deps: Dependencies) => Fee | null) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    prices: {
      fee(table, roadKm) {
        const fee = deps.prices.fee(table, roadKm);
        return fee && change(fee, roadKm, deps);
      },
    },
  });

/** Stores something else after a change of a delivery, depending on the store's current settings. */
const alterUpdateWith =
  (change: (after: Delivery, tx: Tx, deps: Dependencies) => Promise<Partial<Delivery>>) =>
  (deps: Dependencies): Dependencies => {
    const { deliveries } = deps.records;
    const update: typeof deliveries.update = async (tx, after, ...rest) =>
      deliveries.update(tx, { ...after, ...(await change(after, tx, deps)) }, ...rest);
    return { ...deps, records: { ...deps.records, deliveries: { ...deliveries, update } } };
  };

/** Accepts some orders for stores of a status as if they were active. */
const orderingWhere = (
  status: "SUSPENDED" | "CLOSED",
  isTaken: (order: Schemas["NewDelivery"]) => boolean,
): Mutate =>
  replaceOperation("createDelivery", (call, original) =>
    original(isTaken(call.body) ? { ...call, deps: treatAsActive(status)(call.deps) } : call),
  );

const isScheduled = ({ scheduled_for }: Schemas["NewDelivery"]) => scheduled_for !== undefined;
const isPrepaid = ({ payment }: Schemas["NewDelivery"]) => payment.prepaid === true;

/** Stores another fee than the one in the response to a change. */
const keepingFee =
  (choose: (before: Fee | null, after: Fee | null) => Fee | null) =>
  (deps: Dependencies): Dependencies => {
    const { deliveries } = deps.records;
    const update: typeof deliveries.update = async (tx, after, ...rest) => {
      const before = await deliveries.findById(tx, after.id);
      await deliveries.update(tx, { ...after, fee: choose(before?.fee ?? null, after.fee) }, ...rest);
    };
    return { ...deps, records: { ...deps.records, deliveries: { ...deliveries, update } } };
  };

/** Accepts orders at any distance. */
const withoutAnEnd: Mutate = (deps) => ({
  ...deps,
  serviceArea: {
    ...deps.serviceArea,
    assess: (...given) => ({ ...deps.serviceArea.assess(...given), within: true }),
  },
});

/** Accepts some orders at any distance. */
const orderingAnywhere = (isBoundless: (order: Schemas["NewDelivery"]) => boolean): Mutate =>
  replaceOperation("createDelivery", (call, original) =>
    original(isBoundless(call.body) ? { ...call, deps: withoutAnEnd(call.deps) } : call),
  );

/** Accepts changes of some deliveries to any distance. */
const movingAnywhere = (isBoundless: (before: Delivery) => boolean): Mutate =>
  replaceOperation("updateDelivery", async (call, original) => {
    const before = await findDelivery(call);
    const anywhere = before !== undefined && isBoundless(before);
    return original(anywhere ? { ...call, deps: withoutAnEnd(call.deps) } : call);
  });

/** Charges a different fee for some orders. */
const chargingOrders = (change: (order: Schemas["NewDelivery"], amount: number) => number): Mutate =>
  replaceOperation("createDelivery", (call, original) =>
    original({
      ...call,
      deps: charging((fee) => ({ ...fee, amount: change(call.body, fee.amount) }))(call.deps),
    }),
  );

/** Computes values only for the first change of an address. */
const movedOnlyOnce = (kept: (before: Delivery) => Partial<Delivery>): Mutate => {
  const moved = new Set<string>();
  return alterUpdate((after, before) => {
    // Different places may have the same address text.
    if (isDeepStrictEqual(after.dropoff.point, before.dropoff.point)) return {};
    if (moved.has(after.id)) return kept(before);
    moved.add(after.id);
    return {};
  });
};

const addressAlone = ({ text }: Schemas["NewDropoff"]) => ({ text });

export const serviceAreaMutants = {
  "area-has-no-end": {
    fault: "no drop-off is too far away",
    breaks: [{ clause: "NEW-49" }, { clause: "PATCH-5" }, { clause: "QUOTE-5" }],
    mutate: withoutAnEnd,
  },
  "fee-missing-in-the-list": {
    fault: "no item of the list has a fee",
    breaks: [{ clause: "DLV-38" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, fee: null })) })),
  },
  "suspended-store-is-not-found": {
    fault: "a suspended store is as if it weren't linked",
    breaks: [{ clause: "REG-27" }],
    mutate: replaceOperation("getStore", async (call, original) => {
      const { deps, integrator, path } = call;
      const store = await deps.records.stores.find(deps.database, integrator.id, path.external_store_id);
      if (store?.status === "SUSPENDED") throw new DomainError("BULUNAMADI");
      return original(call);
    }),
  },
  "suspended-store-accepts-orders": {
    fault: "an order for a suspended store is taken",
    breaks: [{ clause: "NEW-47" }],
    mutate: orderingWhere("SUSPENDED", () => true),
  },
  "suspended-store-accepts-orders-without-coordinates": {
    fault: "an order without coordinates is taken for a suspended store",
    breaks: [{ clause: "NEW-47" }],
    mutate: orderingWhere("SUSPENDED", ({ dropoff }) => dropoff.lat === undefined),
  },
  "suspended-store-accepts-scheduled-orders": {
    fault: "an order for another day is taken for a suspended store",
    breaks: [{ clause: "NEW-47", case: "scheduled for tomorrow, with a PIN" }],
    mutate: orderingWhere("SUSPENDED", isScheduled),
  },
  "suspended-store-accepts-prepaid-orders": {
    fault: "an order that is paid already is taken for a suspended store",
    breaks: [{ clause: "NEW-47", case: "prepaid, in several packages" }],
    mutate: orderingWhere("SUSPENDED", isPrepaid),
  },
  "closed-store-accepts-orders": {
    fault: "an order for a closed store is taken",
    breaks: [{ clause: "NEW-48" }],
    mutate: orderingWhere("CLOSED", () => true),
  },
  "closed-store-accepts-scheduled-orders": {
    fault: "an order for another day is taken for a closed store",
    breaks: [{ clause: "NEW-48", case: "scheduled for tomorrow, with a PIN" }],
    mutate: orderingWhere("CLOSED", isScheduled),
  },
  "order-refused-for-the-store-but-created": {
    fault: "an order for a suspended store is refused, and kept all the same",
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
    fault: "HIZMET_DISI is answered 400",
    breaks: [{ clause: "NEW-49" }],
    mutate: (deps) => ({
      ...deps,
      errors: { ...deps.errors, HIZMET_DISI: { ...deps.errors.HIZMET_DISI, status: 400 } },
    }),
  },
  "far-order-is-received": {
    fault: "coordinates that are too far away are ignored like those outside the country",
    breaks: [{ clause: "NEW-49" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), () =>
        original({ ...call, body: { ...call.body, dropoff: addressAlone(call.body.dropoff) } }),
      ),
    ),
  },
  "far-schedule-is-accepted": {
    fault: "the area isn't looked at where an order is scheduled",
    breaks: [{ clause: "NEW-49", case: "scheduled for tomorrow, with a PIN" }],
    mutate: orderingAnywhere(isScheduled),
  },
  "far-prepaid-order-is-accepted": {
    fault: "the area isn't looked at where an order is paid already",
    breaks: [{ clause: "NEW-49", case: "prepaid, in several packages" }],
    mutate: orderingAnywhere(isPrepaid),
  },
  "out-of-area-without-details": {
    fault: "HIZMET_DISI doesn't say how far it is",
    breaks: [{ clause: "NEW-50" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async () => {
        throw new DomainError("HIZMET_DISI");
      }),
    ),
  },
  "out-of-area-details-swapped": {
    fault: "HIZMET_DISI has road_km and max_km the wrong way round",
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
    fault: "HIZMET_DISI says that 15 km are served, whatever the store's area",
    breaks: [{ clause: "NEW-54" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async ({ details }) => {
        throw new DomainError("HIZMET_DISI", { ...details, max_km: 15 });
      }),
    ),
  },
  "out-of-area-details-in-metres": {
    fault: "HIZMET_DISI says in metres how far it is by road",
    breaks: [{ clause: "NEW-50" }],
    mutate: replaceOperation("createDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async ({ details }) => {
        const road_km = 1000 * Number(Reflect.get(details ?? {}, "road_km"));
        throw new DomainError("HIZMET_DISI", { ...details, road_km });
      }),
    ),
  },
  "fee-for-each-package": {
    fault: "a delivery of several packages costs more than its quote said",
    breaks: [{ clause: "QUOTE-13", case: "with several packages" }],
    mutate: chargingOrders(({ package_count = 1 }, amount) => (package_count > 1 ? amount + 5 : amount)),
  },
  "fee-of-a-pin": {
    fault: "a delivery with a PIN costs more than its quote said",
    breaks: [{ clause: "QUOTE-13", case: "with a PIN" }],
    mutate: chargingOrders(({ require_pin }, amount) => (require_pin ? amount + 2 : amount)),
  },
  "prepaid-order-has-no-fee": {
    fault: "the fee of an order that was paid before is 0",
    breaks: [{ clause: "QUOTE-13", case: "prepaid" }],
    mutate: chargingOrders(({ payment }, amount) => (payment.prepaid ? 0 : amount)),
  },
  "fee-missing": {
    fault: "no delivery has a fee",
    breaks: [{ clause: "DLV-38" }],
    mutate: charging(() => null),
  },
  "fee-without-currency": {
    fault: "a fee has no currency",
    breaks: [{ clause: "DLV-35" }],
    mutate: charging((fee) => withoutMembers(fee, "currency")),
  },
  "fee-of-nothing": {
    fault: "without a price table the fee is 0 instead of null",
    breaks: [{ clause: "DLV-36" }],
    mutate: (deps) => ({
      ...deps,
      prices: {
        fee: (table, roadKm) =>
          deps.prices.fee(table ?? { base: 0, per_km: 0, currency: "TRY", vat_included: false }, roadKm),
      },
    }),
  },
  "fee-without-location": {
    fault: "a delivery without a location costs what a way of no length does",
    breaks: [{ clause: "DLV-37" }],
    mutate: replaceOperation("createDelivery", async (call, original) => {
      const { deps, integrator, body } = call;
      const reply = await original(call);
      const store = await deps.records.stores.find(
        deps.database,
        integrator.id,
        body.store.external_store_id,
      );
      const fee = reply.body.fee ?? deps.prices.fee(store?.settings.price ?? null, 0);
      return reply.status === 201 ? respondWith(201, { ...reply.body, fee }) : reply;
    }),
  },
  "fee-always-in-liras": {
    fault: "a fee is in liras, whatever the currency of the price",
    breaks: [{ clause: "DLV-71" }],
    mutate: charging((fee) => ({ ...fee, currency: "TRY" })),
  },
  "fee-grossed-up": {
    fault: "a fee holds the VAT, and says that it doesn't",
    breaks: [{ clause: "DLV-63" }],
    mutate: charging((fee) => ({ ...fee, amount: Math.round(fee.amount * 120) / 100 })),
  },
  "fee-follows-the-price-table": {
    fault: "a fee is computed anew with every change, by the prices of the day",
    breaks: [{ clause: "DLV-64" }],
    mutate: alterUpdateWith(async (after, tx, deps) => {
      const store = await deps.records.stores.findById(tx, after.store_id);
      return after.road_km === null || !store
        ? {}
        : { fee: deps.prices.fee(store.settings.price, after.road_km) };
    }),
  },
  "fee-changes-during-the-delivery": {
    fault: "the courier's way is added to the fee",
    breaks: [{ clause: "DLV-64" }],
    mutate: alterUpdate((after, before) =>
      after.fee && after.status === "EN_ROUTE" && before.status !== "EN_ROUTE"
        ? { fee: { ...after.fee, amount: after.fee.amount + 1 } }
        : {},
    ),
  },
  "fee-with-vat": {
    fault: "a fee says that it includes VAT",
    breaks: [{ clause: "DLV-39" }],
    mutate: charging((fee) => ({ ...fee, vat_included: true })),
  },
  "fee-flat": {
    fault: "the price for each kilometre isn't charged",
    breaks: [{ clause: "DLV-40" }],
    mutate: (deps) => ({
      ...deps,
      prices: { fee: (table) => deps.prices.fee(table, 0) },
    }),
  },
  "fee-capped-at-a-kilometre": {
    fault: "no more than the first kilometre is charged",
    breaks: [{ clause: "DLV-40" }],
    mutate: (deps) => ({
      ...deps,
      prices: { fee: (table, roadKm) => deps.prices.fee(table, Math.min(roadKm, 1)) },
    }),
  },
  "fee-stays-when-moved": {
    fault: "a delivery that has a fee keeps it when its address changes",
    breaks: [{ clause: "PATCH-4" }],
    mutate: keepingFee((before, after) => before ?? after),
  },
  "fee-stays-when-moved-again": {
    fault: "a delivery's fee is computed anew for its first new address, and for no further one",
    breaks: [{ clause: "PATCH-4" }],
    mutate: movedOnlyOnce(({ fee }) => ({ fee })),
  },
  "moved-again-delivery-keeps-its-road": {
    fault: "road_km is computed anew for a delivery's first new address, and for no further one",
    breaks: [{ clause: "PATCH-26" }],
    mutate: movedOnlyOnce(({ road_km }) => ({ road_km })),
  },
  "fee-forgotten-when-located": {
    fault: "a delivery that had no fee has none when its address is located",
    breaks: [{ clause: "STATE-9" }],
    mutate: keepingFee((before, after) => before && after),
  },
  "moved-delivery-keeps-its-road": {
    fault: "a new address leaves road_km as it was",
    breaks: [{ clause: "PATCH-26" }],
    mutate: alterUpdate((after, before) => ({ road_km: before.road_km ?? after.road_km })),
  },
  "far-change-is-ignored": {
    fault: "a new address that is too far away is ignored with 200",
    breaks: [{ clause: "PATCH-5" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), () => {
        const { dropoff: _far, ...body } = call.body;
        return original({ ...call, body });
      }),
    ),
  },
  "far-change-without-details": {
    fault: "HIZMET_DISI for a new address doesn't say how far it is",
    breaks: [{ clause: "PATCH-5" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async () => {
        throw new DomainError("HIZMET_DISI");
      }),
    ),
  },
  "far-added-coordinates-accepted": {
    fault: "a delivery that waits for its coordinates takes any within the country",
    breaks: [{ clause: "PATCH-5", case: "without coordinates" }],
    mutate: movingAnywhere(({ status }) => status === "RECEIVED"),
  },
  "far-change-of-a-schedule-is-accepted": {
    fault: "a delivery for another day takes any new address within the country",
    breaks: [{ clause: "PATCH-5", case: "scheduled for tomorrow, with a PIN" }],
    mutate: movingAnywhere(({ scheduled_for }) => scheduled_for !== null),
  },
  "far-change-of-a-prepaid-order-is-accepted": {
    fault: "a delivery that is paid already takes any new address within the country",
    breaks: [{ clause: "PATCH-5", case: "prepaid, in several packages" }],
    mutate: movingAnywhere(({ payment }) => payment.prepaid),
  },
  "assigned-delivery-accepts-far-addresses": {
    fault: "the area isn't looked at any more once a delivery is assigned",
    breaks: [{ clause: "PATCH-5" }],
    mutate: movingAnywhere(({ status }) => status === "ASSIGNED"),
  },
  "assigned-delivery-keeps-its-distance": {
    fault: "a new address of an assigned delivery leaves its distance as it is",
    breaks: [{ clause: "PATCH-23" }],
    mutate: alterUpdate((_after, { status, distance_m, road_km }) =>
      status === "ASSIGNED" ? { distance_m, road_km } : {},
    ),
  },
  "assigned-delivery-keeps-its-fee": {
    fault: "a new address of an assigned delivery leaves its fee as it is",
    breaks: [{ clause: "PATCH-4" }],
    mutate: alterUpdate((_after, { status, fee }) => (status === "ASSIGNED" ? { fee } : {})),
  },
  "far-change-kept-though-refused": {
    fault: "a new address that is too far away is refused, and its text kept all the same",
    breaks: [{ clause: "PATCH-6" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("HIZMET_DISI", original(call), async (refusal) => {
        const text = call.body.dropoff?.text ?? "";
        await original({ ...call, body: { dropoff: { text } } });
        throw refusal;
      }),
    ),
  },
} satisfies Record<string, Mutant>;
