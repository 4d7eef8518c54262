import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { streetAddress } from "../../session/sample-data/sample-data.ts";
import { expectStraightLine } from "../../support/distance.ts";
import { changeDelivery, createDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { feeOf } from "../../support/service-area.ts";
import { repeatRegistration } from "../../support/stores.ts";

const measuredFromTheStore = check({
  id: "stores.measured-from-the-store",
  title:
    "the distance to a drop-off is measured from the store's coordinates, in every direction and at the store itself",
  clauses: [clause["STORE-9"]],
  async run({ api, each, order, store }) {
    const { lat, lng } = await store();
    const storePoint = { lat: Number(lat), lng: Number(lng) };
    const places = {
      "to the north": { lat: storePoint.lat + 0.003, lng: storePoint.lng },
      "to the south": { lat: storePoint.lat - 0.003, lng: storePoint.lng },
      "to the east": { lat: storePoint.lat, lng: storePoint.lng + 0.003 },
      "to the west": { lat: storePoint.lat, lng: storePoint.lng - 0.003 },
      "at the store itself": storePoint,
    };
    await each(casesFrom("directions", places), async ([, dropoffPoint]) => {
      const body = await order({ dropoff: { text: streetAddress(), ...dropoffPoint } });
      const { distance_m } = (await api.createDelivery(body)).body(201);
      expectStraightLine(distance_m, storePoint, dropoffPoint);
    });
  },
});

const measuredAfterAMove = check({
  id: "stores.measured-after-a-move",
  title:
    "after a store has moved, the distance is measured from its new location, also for the new address of a delivery, and no other store has changed",
  clauses: [clause["STORE-9"], clause["REG-4"], clause["PATCH-3"]],
  needs: ["pairing"],
  // Other checks rename the store that an integrator's checks share.
  isolation: "own-integrator",
  async run({ api, attributeTo, each, order, point, store: firstStore, anotherStore }) {
    // The integrator's first store, from which no distance must be measured, and which must not move.
    const { external_store_id: firstId } = await firstStore();
    // Earlier checks may have moved it.
    const first = (await api.getStore(firstId)).body(200);
    const store = await anotherStore();
    const dropoffPoint = { lat: point.lat + 0.001, lng: point.lng };
    const newPoint = { lat: point.lat + 0.002, lng: point.lng };
    const moved = { lat: point.lat - 0.004, lng: point.lng };
    const movedEast = { lat: moved.lat, lng: point.lng + 0.004 };
    const places = {
      "after its move": { storePoint: moved, earlier: [point], newPoints: [newPoint], unmoved: [firstId] },
      "after a second move, only to the east": {
        storePoint: movedEast,
        earlier: [point, moved],
        newPoints: [],
        unmoved: [],
      },
      "after its return": { storePoint: point, earlier: [moved, movedEast], newPoints: [], unmoved: [] },
    };
    await each(
      casesFrom("locations of the store", places),
      async ([, { storePoint, earlier, newPoints, unmoved }]) => {
        attributeTo(clause["REG-4"]);
        const address = { text: store.address_text, ...storePoint };
        const name = `${store.name} Şubesi`;
        (await api.registerStore(repeatRegistration(store, { address, name }))).body(200);
        for (const id of unmoved) {
          const other = (await api.getStore(id)).body(200);
          expectThat({ field: "lat", where: `of ${id}` }, other.lat).is(first.lat);
          expectThat({ field: "name", where: `of ${id}` }, other.name).is(first.name);
          expectThat({ field: "address_text", where: `of ${id}` }, other.address_text).is(first.address_text);
        }
        attributeTo(clause["STORE-9"], clause["REG-4"]);
        const { external_store_id } = store;
        const dropoff = { text: streetAddress(), ...dropoffPoint };
        const body = await order({ store: { external_store_id }, dropoff });
        const { id, distance_m } = (await api.createDelivery(body)).body(201);
        expectStraightLine(distance_m, storePoint, dropoffPoint, { earlier });
        attributeTo(clause["PATCH-3"]);
        for (const place of newPoints) {
          const after = await changeDelivery(api, id, { dropoff: { text: streetAddress(), ...place } });
          expectStraightLine(after.distance_m, storePoint, place, { earlier });
        }
      },
    );
  },
});

const earlierDelivery = check({
  id: "stores.move-keeps-the-version",
  title: "after a store has moved, an earlier delivery with the same version shows the same distance and fee",
  clauses: [clause["DLV-78"]],
  needs: ["pairing"],
  async run(context) {
    const { api, point } = context;
    const store = await context.anotherStore();
    const { external_store_id } = store;
    const before = await createDelivery(context, { store: { external_store_id } });
    const address = { text: store.address_text, lat: point.lat - 0.004, lng: point.lng };
    (await api.registerStore(repeatRegistration(store, { address }))).body(200);
    const after = await readDelivery(api, before.id);
    if (after.version > before.version) return;
    const where = "after its store moved, at the same version";
    expectThat({ field: "distance_m", where }, after.distance_m ?? null).is(before.distance_m ?? null);
    expectThat({ field: "fee", where }, feeOf(after)).is(feeOf(before));
  },
});

export const storesDistancesChecks: readonly Check[] = [
  measuredFromTheStore,
  measuredAfterAMove,
  earlierDelivery,
];
