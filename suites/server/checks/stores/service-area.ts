import * as fc from "fast-check";
import { expect } from "vitest";
import { isObject } from "../../../core/json.ts";
import type { BaseContext } from "../../check.ts";
import type { Point } from "../../session/settings.ts";
import type { LinkedStore } from "../../session/stores.ts";
import { expectSole } from "../../support/assertions.ts";
import { changed, openedNowhere, read } from "../../support/deliveries.ts";
import { itemsOnceShown, itemsWithReference } from "../../support/delivery-list.ts";
import { near, withoutCoordinates } from "../../support/orders.ts";
import {
  ACROSS_TOWN_KM,
  amountOf,
  FAR_KM,
  feeOf,
  fromTo,
  north,
  townStore,
} from "../../support/service-area.ts";
import { type Check, check } from "../define.ts";

/** Opens a delivery of a store's, to a point or to an address without one. */
const opened = async ({ api, order }: Pick<BaseContext, "api" | "order">, store: LinkedStore, to?: Point) =>
  (await api.createDelivery(await order(fromTo(store, to)))).body(201);

const inactiveStore = check({
  id: "service-area.inactive-store",
  title: "a creation for a suspended or closed store is refused with MAGAZA_PASIF and creates nothing",
  clauses: ["NEW-47", "NEW-48", "REG-27"],
  needs: ["pairing", "store-settings"],
  mutants: [
    "suspended-store-takes-orders",
    "suspended-store-is-not-found",
    "suspended-store-takes-waiting-orders",
    "closed-store-takes-orders",
    "refused-for-the-store-yet-created",
  ],
  async run(context) {
    const { api, configureStore, order, point } = context;
    const store = await townStore(context);
    const whileSuspended = await order(fromTo(store, near(point)));
    await configureStore(store.id, { status: "suspended" });
    (await api.createDelivery(whileSuspended)).refused(409, "MAGAZA_PASIF");
    const waiting = withoutCoordinates(await order(fromTo(store)));
    (await api.createDelivery(waiting)).refused(409, "MAGAZA_PASIF");
    expect((await api.getStore(store.external_store_id)).body(200).id, "the store, still linked").toBe(
      store.id,
    );
    await configureStore(store.id, { status: "active" });
    // The twin: the very same order, which is also the only one of its number.
    await expectSole(api, (await api.createDelivery(whileSuspended)).body(201));
    const whileClosed = await order(fromTo(store, near(point)));
    await configureStore(store.id, { status: "closed" });
    (await api.createDelivery(whileClosed)).refused(409, "MAGAZA_PASIF");
    expect(await itemsWithReference(api, whileClosed.external_ref), "deliveries made").toHaveLength(0);
  },
});

const farOrder = check({
  id: "service-area.far-order",
  title: "a creation for a drop-off far outside the area is refused with HIZMET_DISI and creates nothing",
  clauses: ["NEW-49"],
  needs: ["pairing", "store-settings"],
  mutants: ["area-has-no-end", "out-of-area-answers-400", "far-order-is-received"],
  async run(context) {
    const { api, order, point } = context;
    const store = await townStore(context);
    const far = await order(fromTo(store, north(point, FAR_KM)));
    (await api.createDelivery(far)).refused(422, "HIZMET_DISI");
    // The twin: the same order for a neighbour, which is also the only one of its number.
    const twin = { ...far, ...fromTo(store, near(point)) };
    await expectSole(api, (await api.createDelivery(twin)).body(201));
  },
});

/** HIZMET_DISI says how far it is by road, and how far is served. */
function expectDetails({ details }: { readonly details?: unknown }): void {
  const { road_km, max_km } = isObject(details) ? details : {};
  expect([typeof road_km, typeof max_km], "the types of road_km and max_km").toEqual(["number", "number"]);
  expect(road_km, `road_km, where ${max_km} km are served`).toBeGreaterThan(Number(max_km));
}

const howFar = check({
  id: "service-area.how-far",
  title: "HIZMET_DISI says how far it is by road and how far is served, in numbers",
  clauses: ["NEW-50"],
  needs: ["pairing", "store-settings"],
  mutants: ["out-of-area-without-details", "out-of-area-details-swapped"],
  async run(context) {
    const { api, order, point } = context;
    const store = await townStore(context);
    const answer = await api.createDelivery(await order(fromTo(store, north(point, FAR_KM))));
    expectDetails(answer.refused(422, "HIZMET_DISI"));
  },
});

const fee = check({
  id: "service-area.fee",
  title: "a delivery has a fee where there is a price table and a location, and none where either is missing",
  clauses: ["DLV-35", "DLV-36", "DLV-37", "DLV-38"],
  needs: ["pairing", "store-settings"],
  mutants: [
    "fee-missing",
    "fee-missing-in-the-list",
    "fee-without-currency",
    "fee-of-nothing",
    "fee-without-location",
  ],
  async run(context) {
    const { configureStore, point } = context;
    const store = await townStore(context);
    const priced = await opened(context, store, near(point));
    const { fee: full } = priced;
    expect(full ?? null, "the fee with price and location").not.toBeNull();
    expect(Number(full?.amount), "fee.amount").toBeGreaterThan(0);
    expect(full?.currency, "fee.currency").toMatch(/\S/);
    expect(full?.vat_included, "fee.vat_included").toBeTypeOf("boolean");
    const [item] = await itemsOnceShown(context.api, priced.external_ref, priced.id);
    expect(item && feeOf(item), "the fee in the list").toEqual(feeOf(priced));
    expect((await opened(context, store)).fee ?? null, "the fee without a location").toBeNull();
    await configureStore(store.id, { price: null });
    const unpriced = await opened(context, store, near(point));
    expect(unpriced.fee ?? null, "the fee without a price").toBeNull();
  },
});

const withoutVat = check({
  id: "service-area.fee-without-vat",
  title: "the fee excludes VAT, and says so",
  clauses: ["DLV-39"],
  needs: ["pairing", "store-settings"],
  mutants: ["fee-with-vat"],
  async run(context) {
    const store = await townStore(context);
    const delivery = await opened(context, store, near(context.point));
    expect(amountOf(delivery), "fee.amount").toBeGreaterThan(0);
    expect(delivery.fee?.vat_included, "fee.vat_included").toBe(false);
  },
});

const feeFollowsDistance = check({
  id: "service-area.fee-follows-distance",
  title: "with a price for each kilometre, a farther drop-off costs more",
  clauses: ["DLV-40"],
  needs: ["pairing", "store-settings"],
  mutants: ["fee-flat", "fee-capped-at-a-kilometre"],
  async run(context) {
    const { point, property } = context;
    const store = await townStore(context);
    await property(
      fc.record({
        nearer: fc.integer({ min: 1, max: 20 }).map((steps) => steps / 10),
        // Even where each kilometre begun counts, one more has begun.
        more: fc.integer({ min: 15, max: 20 }).map((steps) => steps / 10),
      }),
      async ({ nearer, more }) => {
        const first = await opened(context, store, north(point, nearer));
        const second = await opened(context, store, north(point, nearer + more));
        expect(amountOf(second), "the fee of the farther one").toBeGreaterThan(amountOf(first));
      },
      {
        runs: 5,
        describe: ({ nearer, more }) => `one order ${nearer} km to the north, another ${more} km farther`,
      },
    );
  },
});

const feeOfNewAddress = check({
  id: "service-area.fee-of-a-new-address",
  title: "a new drop-off with coordinates recomputes the fee",
  clauses: ["PATCH-4"],
  needs: ["pairing", "store-settings"],
  mutants: ["fee-stays-when-moved"],
  async run(context) {
    const { api, point } = context;
    const store = await townStore(context);
    const before = await opened(context, store, near(point));
    const { dropoff } = fromTo(store, north(point, ACROSS_TOWN_KM));
    (await api.updateDelivery(before.id, { dropoff })).succeeded();
    const after = (await api.getDelivery(before.id)).body(200);
    expect(amountOf(after), "the fee after moving away").toBeGreaterThan(amountOf(before));
  },
});

const feeOnceLocated = check({
  id: "service-area.fee-once-located",
  title: "a delivery that gets its coordinates later gets the fee for them",
  clauses: ["STATE-9"],
  needs: ["pairing", "store-settings"],
  mutants: ["fee-forgotten-when-located"],
  async run(context) {
    const { api, order, point } = context;
    const store = await townStore(context);
    const locatedAt = async (to: Point) => {
      const { id } = (await api.createDelivery(withoutCoordinates(await order(fromTo(store))))).body(201);
      (await api.updateDelivery(id, { dropoff: fromTo(store, to).dropoff })).succeeded();
      return (await api.getDelivery(id)).body(200);
    };
    const beside = await locatedAt(near(point));
    const away = await locatedAt(north(point, ACROSS_TOWN_KM));
    expect(amountOf(beside), "the fee beside the store").toBeGreaterThan(0);
    expect(amountOf(away), "the fee across the town").toBeGreaterThan(amountOf(beside));
  },
});

const farChange = check({
  id: "service-area.far-change",
  title: "a new drop-off far outside the area is refused with HIZMET_DISI and changes nothing",
  clauses: ["PATCH-5", "PATCH-6"],
  needs: ["pairing", "store-settings"],
  mutants: [
    "area-has-no-end",
    "far-change-is-ignored",
    "far-change-kept-though-refused",
    "far-change-without-details",
    "far-locating-is-taken",
  ],
  async run(context) {
    const { api, point } = context;
    const store = await townStore(context);
    const moveTo = (to: Point) => ({
      dropoff: { ...fromTo(store, to).dropoff, text: "Başka Sokak 8, İstanbul" },
    });
    const waiting = { store: { external_store_id: store.external_store_id } };
    for (const { id } of [await opened(context, store, near(point)), await openedNowhere(context, waiting)]) {
      const before = await read(api, id);
      expectDetails((await api.updateDelivery(id, moveTo(north(point, FAR_KM)))).refused(422, "HIZMET_DISI"));
      const after = await read(api, id);
      expect(after.dropoff?.text, "dropoff.text").toBe(before.dropoff?.text);
      expect(after.distance_m, "distance_m").toBe(before.distance_m);
      expect(feeOf(after), "the fee").toEqual(feeOf(before));
      (await api.updateDelivery(id, moveTo(near(point, 2)))).succeeded();
    }
  },
});

const changeOfAnAssigned = check({
  id: "service-area.change-of-an-assigned-delivery",
  title:
    "a new drop-off of a delivery that a courier is on its way for is measured, and refused outside the area",
  clauses: ["PATCH-4", "PATCH-5"],
  needs: ["pairing", "store-settings", "courier"],
  mutants: ["assigned-delivery-keeps-its-measures", "assigned-delivery-goes-anywhere"],
  async run(context) {
    const { api, point } = context;
    const store = await townStore(context);
    const { id } = await opened(context, store, near(point));
    await context.bring(id, "assigned");
    const before = await read(api, id);
    const far = fromTo(store, north(point, FAR_KM)).dropoff;
    (await api.updateDelivery(id, { dropoff: far })).refused(422, "HIZMET_DISI");
    const after = await changed(api, id, { dropoff: fromTo(store, north(point, ACROSS_TOWN_KM)).dropoff });
    expect(Number(after.distance_m), "distance_m across the town").toBeGreaterThan(Number(before.distance_m));
    expect(amountOf(after), "the fee across the town").toBeGreaterThan(amountOf(before));
  },
});

export const serviceArea: readonly Check[] = [
  inactiveStore,
  farOrder,
  howFar,
  fee,
  withoutVat,
  feeFollowsDistance,
  feeOfNewAddress,
  feeOnceLocated,
  farChange,
  changeOfAnAssigned,
];
