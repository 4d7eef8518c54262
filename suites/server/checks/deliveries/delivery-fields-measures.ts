import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { streetAddress } from "../../session/sample-data/sample-data.ts";
import { expectStraightLine, isStraightLine, straightLineM } from "../../support/distance.ts";
import { createDelivery, createUnlocatedDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { expectEstimatesInOrder } from "../../support/orders/estimates.ts";

/**
 * Offsets in degrees, about 200 to 400 m: inside any service area, but enough for a tolerance of one per cent.
 */
const offsetDegrees = fc
  .integer({ min: 2000, max: 4000 })
  .chain((size) => fc.constantFrom(size / 1e6, -size / 1e6));

const distance = check({
  id: "delivery-fields.distance",
  title:
    "distance_m is the straight-line distance from restaurant to drop-off, within one per cent, at the restaurant itself too",
  clauses: [clause["DLV-41"]],
  async run({ api, order, store, point, property }) {
    const { lat, lng } = await store();
    const from = { lat: lat ?? point.lat, lng: lng ?? point.lng };
    await property(
      fc.record({ north: offsetDegrees, east: offsetDegrees }),
      async ({ north, east }) => {
        const to = { lat: from.lat + north, lng: from.lng + east };
        const body = await order({ dropoff: { text: streetAddress(), ...to } });
        const { id } = (await api.createDelivery(body)).body(201);
        const { distance_m } = (await api.getDelivery(id)).body(200);
        expectStraightLine(distance_m, from, to);
        expectThat("distance_m", distance_m).isInteger();
      },
      { runs: 4, concurrency: 4 },
    );
    // A server that takes 0 for missing would return null.
    const atTheStore = await createDelivery({ api, order }, { dropoff: { text: streetAddress(), ...from } });
    expectStraightLine((await readDelivery(api, atTheStore.id)).distance_m, from, from);
  },
});

const noDistance = check({
  id: "delivery-fields.distance-without-a-location",
  title: "distance_m of a new delivery without a location is null",
  clauses: [clause["DLV-42"]],
  async run(context) {
    const created = await createUnlocatedDelivery(context);
    expectThat("distance_m", created.distance_m ?? null).is(null);
  },
});

const ignoredDistance = check({
  id: "delivery-fields.distance-to-an-ignored-point",
  title: "distance_m isn't computed from ignored coordinates",
  clauses: [clause["DLV-61"]],
  async run({ api, each, order, store, point }) {
    const { lat, lng } = await store();
    const from = { lat: lat ?? point.lat, lng: lng ?? point.lng };
    const places = { "0,0": { lat: 0, lng: 0 }, Berlin: { lat: 52.52, lng: 13.405 } };
    await each(casesFrom("coordinates to be ignored", places), async ([, ignored]) => {
      const dropoff = { text: "Adres telefonda sorulacak", ...ignored };
      const { id } = (await api.createDelivery(await order({ dropoff }))).body(201);
      const { distance_m = null } = await readDelivery(api, id);
      // A service that geocodes the address may measure to the geocoded point (OPEN-83).
      const isToIgnoredPoint = distance_m !== null && isStraightLine(distance_m, from, ignored);
      expectThat("distance_m", distance_m).satisfies(
        "not the distance to the ignored coordinates",
        !isToIgnoredPoint,
      );
    });
  },
});

/** No road is this many times longer than the straight line, so a greater number is in metres. */
const MAX_DETOUR = 50;

const kilometres = check({
  id: "delivery-fields.road-in-kilometres",
  title: "road_km, if returned, is in kilometres: less than 50 times the straight-line distance",
  clauses: [clause["DLV-59"]],
  async run({ api, order, store, point }) {
    const { lat, lng } = await store();
    const from = { lat: lat ?? point.lat, lng: lng ?? point.lng };
    const to = { lat: from.lat + 0.003, lng: from.lng };
    const body = await order({ dropoff: { text: streetAddress(), ...to } });
    const { road_km } = await readDelivery(api, (await api.createDelivery(body)).body(201).id);
    const straight = straightLineM(from, to) / 1000;
    // The presence and the rounding of road_km are unspecified.
    expectThat(
      { field: "road_km", where: `for a straight-line distance of ${straight} km` },
      road_km ?? 0,
    ).isLessThan(straight * MAX_DETOUR);
  },
});

const road = check({
  id: "delivery-fields.road-km",
  title: "road_km is a number or null, with coordinates and without",
  clauses: [clause["DLV-43"]],
  async run(context) {
    const deliveries = {
      "with coordinates": await createDelivery(context),
      "without coordinates": await createUnlocatedDelivery(context),
    };
    await context.each(casesFrom("deliveries", deliveries), async ([, { id }]) => {
      const { road_km = null } = await readDelivery(context.api, id);
      expectThat("road_km", road_km).satisfies(
        "a number or null",
        road_km === null || typeof road_km === "number",
      );
    });
  },
});

const estimates = check({
  id: "delivery-fields.estimates",
  title: "the estimated time at the drop-off isn't before that at the restaurant, now or for tomorrow",
  clauses: [clause["DLV-85"]],
  async run(context) {
    const scheduled_for = isoInstant(context.now() + 24 * 3_600_000);
    const deliveries = {
      now: await createDelivery(context),
      "for tomorrow": await createDelivery(context, { scheduled_for }),
    };
    await context.each(casesFrom("deliveries", deliveries), async ([name, { id }]) =>
      expectEstimatesInOrder(await readDelivery(context.api, id), name),
    );
  },
});

export const deliveryFieldsMeasuresChecks: readonly Check[] = [
  distance,
  noDistance,
  ignoredDistance,
  road,
  kilometres,
  estimates,
];
