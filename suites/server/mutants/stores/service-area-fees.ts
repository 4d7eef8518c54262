import type { Tx } from "../../../../reference-server/database/schema.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery, Store } from "../../../../reference-server/domain/model.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery, alterPage, withBodyMembers } from "../operators/answers.ts";
import { alterUpdate } from "../operators/deliveries.ts";
import { replaceOperation, respondWith } from "../operators/operations.ts";
import { showCurrentMeasures } from "../operators/stores.ts";

type Fee = NonNullable<ReturnType<Dependencies["prices"]["fee"]>>;

const alterFee =
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

/** Alters what a change of a delivery stores. The alteration may read other records. */
const alterUpdateWith =
  (change: (after: Delivery, tx: Tx, deps: Dependencies) => Promise<Partial<Delivery>>) =>
  (deps: Dependencies): Dependencies => {
    const { deliveries } = deps.records;
    const update: typeof deliveries.update = async (tx, after, ...rest) =>
      deliveries.update(tx, { ...after, ...(await change(after, tx, deps)) }, ...rest);
    return { ...deps, records: { ...deps.records, deliveries: { ...deliveries, update } } };
  };

/** Computes the fee of a changed address from the straight distance, for some deliveries. */
const feeByStraightLineIf =
  (applies: (before: Delivery) => boolean): Parameters<typeof alterUpdateWith>[0] =>
  async (after, tx, deps) => {
    const before = await deps.records.deliveries.findById(tx, after.id);
    const store = await deps.records.stores.findById(tx, after.store_id);
    const { distance_m } = after;
    if (!before || !store || distance_m === null || distance_m === before.distance_m || !applies(before))
      return {};
    return { fee: deps.prices.fee(store.settings.price, distance_m / 1000) };
  };

/** A server that stores another fee than the one in its response to a change. */
const alterStoredFee =
  (choose: (before: Fee | null, after: Fee | null) => Fee | null) =>
  (deps: Dependencies): Dependencies => {
    const { deliveries } = deps.records;
    const update: typeof deliveries.update = async (tx, after, ...rest) => {
      const before = await deliveries.findById(tx, after.id);
      await deliveries.update(tx, { ...after, fee: choose(before?.fee ?? null, after.fee) }, ...rest);
    };
    return { ...deps, records: { ...deps.records, deliveries: { ...deliveries, update } } };
  };

const alterOrderFee = (change: (order: Schemas["NewDelivery"], amount: number) => number): Mutate =>
  replaceOperation("createDelivery", (call, original) =>
    original({
      ...call,
      deps: alterFee((fee) => ({ ...fee, amount: change(call.body, fee.amount) }))(call.deps),
    }),
  );

export const feeMutants: Mutants = {
  "fee-missing-in-the-list": {
    fault: "deliveries in the list have no fee",
    breaks: [{ clause: "DLV-38" }],
    caughtBy: ["service-area.fee"],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, fee: null })) })),
  },
  "fee-higher-for-several-packages": {
    fault: "the fee of a delivery with several packages is higher than its quote's",
    breaks: breaking(["with several packages", "with 20 packages"], "QUOTE-13"),
    caughtBy: ["quotes.same-fee-for-any-order"],
    mutate: alterOrderFee(({ package_count = 1 }, amount) => (package_count > 1 ? amount + 5 : amount)),
  },
  "fee-higher-for-more-than-ten-packages": {
    fault: "the fee of a delivery with more than ten packages is twice its quote's",
    breaks: [{ clause: "QUOTE-13", case: "with 20 packages" }],
    caughtBy: ["quotes.same-fee-for-any-order"],
    mutate: alterOrderFee(({ package_count = 1 }, amount) => (package_count > 10 ? 2 * amount : amount)),
  },
  "fee-higher-for-a-large-amount": {
    fault: "the fee of a delivery with an amount due of more than 1,000 is higher than its quote's",
    breaks: [{ clause: "QUOTE-13", case: "with a large amount and many items" }],
    caughtBy: ["quotes.same-fee-for-any-order"],
    mutate: alterOrderFee(({ payment }, amount) => (payment.amount_due > 1_000 ? amount * 1.02 : amount)),
  },
  "fee-higher-with-a-pin": {
    fault: "the fee of a delivery with a PIN is higher than its quote's",
    breaks: [{ clause: "QUOTE-13", case: "with a PIN" }],
    caughtBy: ["quotes.same-fee-for-any-order"],
    mutate: alterOrderFee(({ require_pin }, amount) => (require_pin ? amount + 2 : amount)),
  },
  "prepaid-order-has-no-fee": {
    fault: "the fee of a prepaid order is 0",
    breaks: [{ clause: "QUOTE-13", case: "prepaid" }],
    caughtBy: ["quotes.same-fee-for-any-order"],
    mutate: alterOrderFee(({ payment }, amount) => (payment.prepaid ? 0 : amount)),
  },
  "fee-in-liras-after-a-new-address": {
    fault: "the fee of a changed address is always in liras",
    breaks: [{ clause: "PATCH-4" }],
    caughtBy: ["quotes.same-fee-in-euros"],
    mutate: alterStoredFee((before, after) =>
      after !== null && after.amount !== before?.amount ? { ...after, currency: "TRY" } : after,
    ),
  },
  "repeat-shows-the-fee-of-the-new-prices": {
    fault: "the response to a repeated creation shows a fee by the current prices",
    breaks: [{ clause: "DLV-64" }],
    caughtBy: ["service-area.fee-fixed-at-creation"],
    mutate: replaceOperation("createDelivery", async (call, original) => {
      const reply = await original(call);
      const { deps } = call;
      const store = await deps.records.stores.findById(deps.database, reply.body.store_id);
      const { road_km = null } = reply.body;
      if (reply.status !== 200 || !store || road_km === null) return reply;
      return withBodyMembers(reply, { fee: deps.prices.fee(store.settings.price, road_km) });
    }),
  },
  "no-fee-at-the-restaurant": {
    fault: "a delivery has no fee if its distance is 0",
    breaks: [{ clause: "DLV-38" }],
    caughtBy: ["service-area.fee"],
    mutate: alterDelivery(({ fee, distance_m }) => ({ fee: distance_m === 0 ? null : fee })),
  },
  "fee-missing": {
    fault: "no delivery has a fee",
    breaks: [{ clause: "DLV-38" }],
    caughtBy: ["service-area.fee"],
    mutate: alterFee(() => null),
  },
  "zero-fee-without-price-table": {
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
  "removed-price-table-is-used": {
    fault: "the last price table is used after it was removed",
    breaks: [{ clause: "DLV-79" }],
    mutate: (deps) => {
      let last: Parameters<typeof deps.prices.fee>[0] = null;
      return {
        ...deps,
        prices: {
          fee(table, roadKm) {
            last = table ?? last;
            return deps.prices.fee(last, roadKm);
          },
        },
      };
    },
  },
  "fee-without-location": {
    fault: "a delivery without a location has a fee for a distance of 0",
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
    fault: "a fee is always in liras, regardless of the price table's currency",
    breaks: [{ clause: "DLV-71" }],
    mutate: alterFee((fee) => ({ ...fee, currency: "TRY" })),
  },
  "fee-grossed-up": {
    fault: "a fee includes VAT, but vat_included is false",
    breaks: [{ clause: "DLV-63" }],
    mutate: alterFee((fee) => ({ ...fee, amount: Math.round(fee.amount * 120) / 100 })),
  },
  "fee-by-the-first-stores-price": {
    fault: "an integrator's deliveries are priced by the first of its stores with a delivery",
    breaks: [{ clause: "DLV-63", case: "the store of another company" }],
    mutate: (deps) => {
      const prices = new Map<string, Store["settings"]["price"]>();
      return {
        ...deps,
        serviceArea: {
          ...deps.serviceArea,
          assess(areaDeps, { integrator_id, settings, ...store }, to) {
            const price = prices.get(integrator_id) ?? settings.price;
            prices.set(integrator_id, price);
            return deps.serviceArea.assess(
              areaDeps,
              { ...store, integrator_id, settings: { ...settings, price } },
              to,
            );
          },
        },
      };
    },
  },
  "fee-0-is-null": {
    fault: "a fee of 0 is null",
    breaks: [{ clause: "DLV-38" }],
    caughtBy: ["service-area.fee"],
    mutate: alterFee((fee) => (fee.amount === 0 ? null : fee)),
  },
  "changed-address-priced-by-the-first-store": {
    fault:
      "a change of the address computes the fee with the prices of the integrator's first store with prices",
    breaks: [{ clause: "DLV-63", case: "the store of another company" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const stores = await call.deps.records.stores.list(call.deps.database, call.integrator.id);
      const price = stores.map(({ settings }) => settings.price).find((one) => one !== null) ?? null;
      const { fee } = call.deps.prices;
      return original({
        ...call,
        deps: { ...call.deps, prices: { fee: (table, roadKm) => fee(table && price, roadKm) } },
      });
    }),
  },
  "changed-address-costs-extra": {
    fault: "each change of the address raises the fee",
    breaks: [{ clause: "DLV-63" }],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      original({ ...call, deps: alterFee((fee) => ({ ...fee, amount: fee.amount + 10 }))(call.deps) }),
    ),
  },
  "fee-follows-the-price-table": {
    fault: "a fee is recomputed with the current prices at every change",
    breaks: [{ clause: "DLV-64" }],
    caughtBy: ["service-area.fee-fixed-at-creation"],
    mutate: alterUpdateWith(async (after, tx, deps) => {
      const store = await deps.records.stores.findById(tx, after.store_id);
      return after.road_km === null || !store
        ? {}
        : { fee: deps.prices.fee(store.settings.price, after.road_km) };
    }),
  },
  "fee-follows-the-store": {
    fault: "the fee is computed from the store's current location at each reading",
    breaks: [{ clause: "DLV-64" }],
    caughtBy: ["service-area.fee-fixed-at-creation"],
    mutate: showCurrentMeasures(({ fee }) => ({ fee })),
  },
  "fee-changes-during-the-delivery": {
    fault: "the fee increases when the courier sets out for the customer",
    breaks: [{ clause: "DLV-64" }],
    caughtBy: ["service-area.fee-on-the-way"],
    mutate: alterUpdate((after, before) =>
      after.fee && after.status === "EN_ROUTE" && before.status !== "EN_ROUTE"
        ? { fee: { ...after.fee, amount: after.fee.amount + 1 } }
        : {},
    ),
  },
  "fee-doubled-by-a-return": {
    fault: "the fee is doubled when the package is back at the restaurant",
    breaks: [{ clause: "DLV-89" }],
    mutate: alterUpdate((after, before) =>
      after.fee && after.status === "RETURNED" && before.status !== "RETURNED"
        ? { fee: { ...after.fee, amount: 2 * after.fee.amount } }
        : {},
    ),
  },
  "fee-with-vat": {
    fault: "vat_included of a fee is true",
    breaks: [{ clause: "DLV-39" }],
    mutate: alterFee((fee) => ({ ...fee, vat_included: true })),
  },
  "fee-flat": {
    fault: "the fee lacks the price per kilometre",
    breaks: [{ clause: "DLV-40" }],
    mutate: (deps) => ({
      ...deps,
      prices: { fee: (table) => deps.prices.fee(table, 0) },
    }),
  },
  "fee-capped-at-a-kilometre": {
    fault: "the fee covers only the first kilometre",
    breaks: [{ clause: "DLV-40" }],
    mutate: (deps) => ({
      ...deps,
      prices: { fee: (table, roadKm) => deps.prices.fee(table, Math.min(roadKm, 1)) },
    }),
  },
  "fee-stays-when-moved": {
    fault: "a new address doesn't change the fee",
    breaks: [{ clause: "PATCH-4" }],
    caughtBy: ["service-area.fee-of-a-new-address"],
    mutate: alterStoredFee((before, after) => before ?? after),
  },
  "fee-by-the-straight-line-when-moved": {
    fault: "the fee of a new address of a located delivery is computed from the straight distance",
    breaks: [{ clause: "PATCH-4" }],
    caughtBy: ["service-area.fee-of-a-new-address"],
    mutate: alterUpdateWith(feeByStraightLineIf((before) => before.dropoff.point !== null)),
  },
  "fee-by-the-straight-line-when-located": {
    fault: "the fee of added coordinates is computed from the straight distance",
    breaks: [{ clause: "STATE-9" }],
    caughtBy: ["service-area.fee-of-a-new-address"],
    mutate: alterUpdateWith(feeByStraightLineIf((before) => before.dropoff.point === null)),
  },
  "distance-in-hundreds-beyond-a-kilometre": {
    fault: "distance_m beyond a kilometre is in hundreds of metres",
    breaks: [{ clause: "DLV-87" }],
    mutate: alterDelivery(({ distance_m }) => ({
      distance_m:
        (distance_m ?? 0) > 1000 ? Math.round(Number(distance_m) / 100) * 100 : (distance_m ?? null),
    })),
  },
  "fee-forgotten-when-located": {
    fault: "adding coordinates to a delivery doesn't compute its fee",
    breaks: [{ clause: "STATE-9" }],
    caughtBy: ["service-area.fee-once-located"],
    mutate: alterStoredFee((before, after) => before && after),
  },
};
