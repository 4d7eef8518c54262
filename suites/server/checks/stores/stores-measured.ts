import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { streetAddress } from "../../session/ordinary-texts.ts";
import { straightLineM } from "../../support/distance.ts";
import { repeatRegistration } from "../../support/stores.ts";
import { type Check, check } from "../define.ts";

/** One per cent for the shape of the globe, and two metres for rounding (OPEN-52). */
const tolerance = (metres: number) => metres / 100 + 2;

const measuredFromTheStore = check({
  id: "stores.measured-from-the-store",
  title: "the distance to a drop-off is measured from the store's coordinates, in every direction",
  clauses: [clause["STORE-9"]],
  mutants: ["distance-from-hundredths", "distance-east-and-west-as-on-the-equator"],
  async run({ api, order, store }) {
    const { lat, lng } = await store();
    const here = { lat: Number(lat), lng: Number(lng) };
    for (const there of [
      { lat: here.lat + 0.003, lng: here.lng },
      { lat: here.lat - 0.003, lng: here.lng },
      { lat: here.lat, lng: here.lng + 0.003 },
      { lat: here.lat, lng: here.lng - 0.003 },
    ]) {
      const body = await order({ dropoff: { text: streetAddress(), ...there } });
      const { distance_m } = (await api.createDelivery(body)).body(201);
      const metres = straightLineM(here, there);
      expect(
        Math.abs(Number(distance_m) - metres),
        `how far distance_m (${distance_m}) is from ${Math.round(metres)} m to ${JSON.stringify(there)}`,
      ).toBeLessThanOrEqual(tolerance(metres));
    }
  },
});

const measuredFromWhereItIsNow = check({
  id: "stores.measured-after-a-move",
  title: "once a store has moved, the distance is measured from where it is now",
  clauses: [clause["STORE-9"], clause["REG-4"]],
  needs: ["pairing"],
  mutants: ["distance-from-the-first-place"],
  async run({ api, order, point, anotherStore }) {
    const store = await anotherStore();
    const there = { lat: point.lat + 0.001, lng: point.lng };
    const moved = { lat: point.lat - 0.004, lng: point.lng };
    for (const here of [moved, point]) {
      const address = { text: store.address_text, ...here };
      (await api.registerStore(repeatRegistration(store, { address }))).body(200);
      const { external_store_id } = store;
      const dropoff = { text: streetAddress(), ...there };
      const body = await order({ store: { external_store_id }, dropoff });
      const { distance_m } = (await api.createDelivery(body)).body(201);
      const metres = straightLineM(here, there);
      const off = Math.abs(Number(distance_m) - metres);
      expect(off, `how far distance_m is from ${Math.round(metres)}`).toBeLessThanOrEqual(tolerance(metres));
    }
  },
});

/** From where distances are measured. */
export const storesMeasuredChecks: readonly Check[] = [measuredFromTheStore, measuredFromWhereItIsNow];
