import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import { streetAddress } from "../../session/sample-data/sample-data.ts";
import { newLookAlikeId } from "../../session/stores/own-stores.ts";
import type { LinkedStore } from "../../session/stores/stores.ts";
import { expectEveryField } from "../../support/assertions.ts";
import { near } from "../../support/orders/orders.ts";
import {
  expectQuote,
  FAR_KM,
  newStoreWithArea,
  north,
  quoteRequest,
  SERVICE_AREA,
  storeAndDropoff,
} from "../../support/service-area.ts";
import { COORDINATE_DECIMALS, numberIn, PRECISE_DECIMALS } from "../../support/shown-values.ts";

/**
 * Only this many areas at each end of the list are compared with their stores, because the list may be long.
 */
const AREAS_AT_EACH_END = 5;
const inMetres = ({ radius_m }: { readonly radius_m: number }) => `${radius_m} m`;

const areasOf = async ({ api }: Pick<BaseContext, "api">, store: LinkedStore) =>
  (await api.call("listDeliveryAreas")).body(200).items.filter(({ store_id }) => store_id === store.id);

const list = check({
  id: "areas.list",
  title: "the list of delivery areas is an object whose items is an array",
  clauses: [clause["AREA-6"]],
  async run({ api, store }) {
    await store();
    expectThat("items", (await api.call("listDeliveryAreas")).body(200).items).isList();
  },
});

const areas = check({
  id: "areas.of-own-stores",
  smokeTestOf: "listDeliveryAreas",
  title: "each area belongs to a store of the integrator",
  clauses: [clause["AREA-3"]],
  async run({ api, each, store }) {
    await store();
    const { items } = (await api.call("listDeliveryAreas")).body(200);
    if (items.length === 0) throw new CheckSkipped("the target lists no delivery area");
    const sample = new Set([...items.slice(0, AREAS_AT_EACH_END), ...items.slice(-AREAS_AT_EACH_END)]);
    const nameOf = ({ external_store_id }: (typeof items)[number]) => `the area of ${external_store_id}`;
    await each(cases("areas", [...sample], nameOf), async ({ store_id, external_store_id }) => {
      const namedStore = (await api.getStore(external_store_id)).body(200);
      expectThat(`the store_id of the area of ${external_store_id}`, store_id).is(namedStore.id);
    });
  },
});

const twoStores = check({
  id: "areas.of-two-stores",
  title: "the areas of two stores contain the complete identifier and the location of their own store",
  clauses: [clause["AREA-3"], clause["AREA-4"]],
  needs: ["pairing"],
  async run({ api, attributeTo, each, store, linkStore, point }) {
    const first = await store();
    const address = { text: streetAddress(), ...near(point, -2) };
    const id = newLookAlikeId(first.external_store_id);
    const second = await linkStore({ external_store_id: id, address });
    const { items } = (await api.call("listDeliveryAreas")).body(200);
    const areaOf = (id: string) => items.filter(({ store_id }) => store_id === id);
    // A store may have no area until the courier company draws one (OPEN-72).
    if (areaOf(first.id).length + areaOf(second.id).length === 0)
      throw new CheckSkipped("the target lists no delivery area for either of two stores");
    const stores = { "the first store": first, "a second store": second };
    await each(casesFrom("stores", stores), async ([, { id, external_store_id, lat, lng }]) => {
      for (const area of areaOf(id)) {
        attributeTo(clause["AREA-3"]);
        expectThat("external_store_id of the area", area.external_store_id).is(external_store_id);
        attributeTo(clause["AREA-4"]);
        const center = { lat: area.center?.lat, lng: area.center?.lng };
        expectThat("center.lat", center.lat).isNear(numberIn(lat, "lat"), COORDINATE_DECIMALS);
        expectThat("center.lng", center.lng).isNear(numberIn(lng, "lng"), COORDINATE_DECIMALS);
      }
    });
  },
});

const allFields = check({
  id: "areas.all-fields",
  title: "a delivery area has every field of the specification's table",
  clauses: [clause["AREA-2"]],
  async run({ api, recordCoverage, store }) {
    recordCoverage("fields-of-a-delivery-area", elementsOf("fields-of-a-delivery-area"));
    await store();
    const [area] = (await api.call("listDeliveryAreas")).body(200).items;
    // A store may have no area until the courier company draws one (OPEN-72).
    if (!area) throw new CheckSkipped("the target lists no delivery area for a store with a location");
    expectEveryField(area, "DeliveryArea", "the area");
  },
});

const circle = check({
  id: "areas.circle",
  title: "an area is the circle around its store with the configured radius, and moves with the store",
  clauses: [clause["AREA-4"], clause["AREA-5"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, point, configureStore } = context;
    // The integrator's first store, whose radius must not appear in the area of the second store.
    await context.store();
    const store = await newStoreWithArea(context);
    // A service that remembers the areas that it has shown must forget this one when the store moves.
    await areasOf(context, store);
    const moved = near(point, -2);
    const { external_store_id, name, address_text } = store;
    const address = { text: address_text, ...moved };
    (await api.registerStore({ external_store_id, name, phone: "+902125550100", address })).body(200);
    const radii = [SERVICE_AREA, { radius_m: 2_500, max_road_km: 4 }] as const;
    await context.each(cases("radii", radii, inMetres), async ({ radius_m, max_road_km }) => {
      await configureStore(store.id, { radius_m, max_road_km });
      const storeAreas = await areasOf(context, store);
      if (storeAreas.length === 0)
        throw new CheckSkipped("the target lists no area for a store with a radius");
      context.attributeTo(clause["AREA-4"]);
      for (const { center } of storeAreas) {
        const where = "of the area of a store that was registered again at another place";
        expectThat({ field: "center.lat", where }, center?.lat).isNear(moved.lat, PRECISE_DECIMALS);
        expectThat({ field: "center.lng", where }, center?.lng).isNear(moved.lng, PRECISE_DECIMALS);
      }
      context.attributeTo(clause["AREA-5"]);
      expectThat(
        "radius_m",
        storeAreas.map((area) => area.radius_m),
      ).includes(radius_m);
    });
  },
});

/** Each area has both limits, because it is unspecified whether radius or road distance decides (OPEN-71). */
const SMALL_AND_LARGE_AREA = [
  { radius_m: 2_500, max_road_km: 4 },
  { radius_m: 20_000, max_road_km: 40 },
] as const;
const WELL_WITHIN_FACTOR = 1 / 3;
const FAR_BEYOND_FACTOR = 3;

const serviceability = check({
  id: "areas.what-is-served",
  title:
    "drop-offs well within an area's radius are serviceable and take orders, and those far outside aren't and don't",
  clauses: [clause["AREA-8"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, order, point, configureStore } = context;
    await context.store();
    const store = await newStoreWithArea(context);
    await context.each(cases("radii", SMALL_AND_LARGE_AREA, inMetres), async (settings) => {
      await configureStore(store.id, settings);
      const radii = (await areasOf(context, store)).map(
        ({ radius_m }) => numberIn(radius_m, "radius_m") / 1000,
      );
      if (radii.length === 0) throw new CheckSkipped("the target lists no area for a store with a radius");
      const isServedAt = async (km: number) =>
        expectQuote(await api.createQuote(quoteRequest(store, north(point, km)))).serviceable;
      const radius = Math.max(...radii);
      const shown = `with a radius_m of ${radius * 1000} in the list of delivery areas`;
      const within = WELL_WITHIN_FACTOR * radius;
      expectThat(`serviceable ${within.toFixed(1)} km away, ${shown}`, await isServedAt(within)).is(true);
      const beyond = FAR_BEYOND_FACTOR * radius;
      expectThat(`serviceable ${beyond.toFixed(1)} km away, ${shown}`, await isServedAt(beyond)).is(false);
      const orderTo = async (km: number) =>
        api.createDelivery(await order(storeAndDropoff(store, north(point, km))));
      const placed = await orderTo(within);
      expectThat(`an order ${within.toFixed(1)} km away, ${shown}`, placed.status).satisfies(
        "2xx",
        isSuccess(placed),
      );
      // A point farther away may be outside the country, where its coordinates are ignored.
      for (const km of [beyond].filter((distance) => distance <= FAR_KM))
        (await orderTo(km)).expectError(422, "HIZMET_DISI");
    });
  },
});

const everyStore = check({
  id: "areas.every-store",
  title: "each store with a location and a radius has an area",
  clauses: [clause["AREA-7"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const stores = {
      "the first store": await newStoreWithArea(context),
      "the second store": await newStoreWithArea(context),
    };
    await context.each(casesFrom("stores", stores), async ([, store]) => {
      const storeAreas = await areasOf(context, store);
      expectThat("areas of the store", storeAreas.length).isAtLeast(1);
    });
  },
});

export const deliveryAreasChecks: readonly Check[] = [
  list,
  areas,
  twoStores,
  allFields,
  circle,
  serviceability,
  everyStore,
];
