import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures, attributeStepFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isObject, numberOf, textOf } from "../../../core/json.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { storesOf } from "../../session/lists/list-entries.ts";
import { streetAddress } from "../../session/sample-data/sample-data.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { expectStraightLine } from "../../support/distance.ts";
import { findByReference } from "../../support/lists/delivery-list.ts";
import {
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { orderAttributes, unusualAttributes } from "../../support/orders/order-attributes.ts";
import { near, withoutCoordinates } from "../../support/orders/orders.ts";
import {
  expectQuote,
  FAR_KM,
  feeOf,
  INSIDE_AREA_KM,
  newStoreWithArea,
  north,
  quoteRequest,
  storeAndDropoff,
} from "../../support/service-area.ts";
import { numberIn, unchangedNote } from "../../support/shown-values.ts";
import { repeatRegistration } from "../../support/stores.ts";
import { serviceAreaFeesChecks } from "./service-area-fees.ts";

const CONCURRENT_ORDERS = 3;

const inactiveStore = check({
  id: "service-area.inactive-store",
  title:
    "an order for a suspended or closed store is refused with MAGAZA_PASIF, and creates nothing, whatever its fields, also after the store is registered again, and other stores take orders",
  clauses: [clause["NEW-47"], clause["NEW-48"], clause["NEW-59"], clause["REG-27"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, attributeTo, configureStore, each, order, point } = context;
    const store = await newStoreWithArea(context);
    const nearbyOrder = storeAndDropoff(store, near(point));
    const orders = casesFrom("orders", await orderAttributes(context, nearbyOrder));
    const refusedOrders: Schemas["NewDelivery"][] = [];
    const orderAt = (status: string, body: Schemas["NewDelivery"]) => {
      const place = body.dropoff.lat === undefined ? "without coordinates" : "with coordinates";
      const rule = `an order ${place} at a ${status} store`;
      return api.sendInvalid("createDelivery", rule, { body }, { key: newIdempotencyKey() });
    };
    const refuseOnceRegisteredAgain = async (status: string) => {
      // The registration may be refused. It never makes the store active.
      await api.registerStore(repeatRegistration(store));
      const refused = await orderAt(`${status} and again registered`, await order(nearbyOrder));
      refused.expectError(409, "MAGAZA_PASIF");
    };
    await configureStore(store.id, { status: "suspended" });
    attributeTo(clause["NEW-47"]);
    const refuseWhileSuspended = async (attributes: Partial<Schemas["NewDelivery"]>) => {
      const body = await order({ ...nearbyOrder, ...attributes });
      (await orderAt("suspended", body)).expectError(409, "MAGAZA_PASIF");
      refusedOrders.push(body);
    };
    await each(orders, ([, attributes]) => refuseWhileSuspended(attributes), {
      concurrency: CONCURRENT_ORDERS,
    });
    const unlocatedOrder = withoutCoordinates(await order(storeAndDropoff(store)));
    (await orderAt("suspended", unlocatedOrder)).expectError(409, "MAGAZA_PASIF");
    await refuseOnceRegisteredAgain("suspended");
    attributeTo(clause["REG-27"]);
    expectThat(
      "the id of the suspended store",
      (await api.getStore(store.external_store_id)).body(200).id,
    ).is(store.id);
    expectThat(
      "the listed stores, while one is suspended",
      storesOf(await api.call("listStores")).map(({ id }) => id),
    ).includes(store.id);
    attributeTo(clause["NEW-59"]);
    const elsewhere = await api.createDelivery(await order());
    expectThat(
      "the status of an order for another store of the integrator, while a store is suspended",
      elsewhere.status,
    ).satisfies("2xx", isSuccess(elsewhere));
    await configureStore(store.id, { status: "active" });
    attributeTo(clause["NEW-47"]);
    // Positive control: the same orders are accepted later, and each exists only once.
    const note = "the store was suspended, and is active again";
    await Promise.all(
      refusedOrders.map(async (body) =>
        expectOnlyDelivery(api, (await api.createDelivery(body)).body(201, note)),
      ),
    );
    attributeTo(clause["NEW-48"]);
    await configureStore(store.id, { status: "closed" });
    const refuseWhileClosed = async (attributes: Partial<Schemas["NewDelivery"]>) => {
      const body = await order({ ...nearbyOrder, ...attributes });
      (await orderAt("closed", body)).expectError(409, "MAGAZA_PASIF");
      expectThat(
        "deliveries with the refused order's external_ref",
        await findByReference(api, body.external_ref),
      ).isEmpty();
    };
    await each(orders, ([, attributes]) => refuseWhileClosed(attributes), { concurrency: CONCURRENT_ORDERS });
    const unlocated = withoutCoordinates(await order(storeAndDropoff(store)));
    (await orderAt("closed", unlocated)).expectError(409, "MAGAZA_PASIF");
    await refuseOnceRegisteredAgain("closed");
  },
});

const farOrder = check({
  id: "service-area.far-order",
  title:
    "an order for a drop-off far outside the area is refused with HIZMET_DISI, and creates nothing, whatever its fields",
  clauses: [clause["NEW-49"], clause["NEW-63"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, attributeTo, order, point } = context;
    const store = await newStoreWithArea(context);
    attributeTo(clause["NEW-49"]);
    await context.each(
      casesFrom("orders", await orderAttributes(context, storeAndDropoff(store, near(point)))),
      async ([, attributes]) => {
        const far = await order({ ...storeAndDropoff(store, north(point, FAR_KM)), ...attributes });
        (await api.createDelivery(far)).expectError(422, "HIZMET_DISI");
        // Positive control: the same order to a close drop-off is accepted, and exists only once.
        const control = { ...far, ...storeAndDropoff(store, near(point)) };
        await attributeStepFailures([clause["NEW-63"]], async () => {
          const accepted = await api.createDelivery(control);
          await expectOnlyDelivery(api, accepted.body(201));
        });
      },
      { concurrency: CONCURRENT_ORDERS },
    );
  },
});

/** No road is this many times longer than the straight line, so a greater number is in metres. */
const MAX_DETOUR = 50;

/** Asserts that the distances in HIZMET_DISI are in kilometres. An unknown road distance is null (OPEN-130). */
function expectDetails({ details }: { readonly details?: unknown }): void {
  expectThat("error.details", details).hasField("max_km");
  const { road_km, max_km } = isObject(details) ? details : {};
  expectThat({ field: "max_km", where: "in error.details" }, max_km).isNumber();
  if (road_km === null) return;
  expectThat({ field: "road_km", where: "in error.details" }, road_km).isNumber();
  expectThat({ field: "road_km", where: `with a max_km of ${textOf(max_km)}` }, road_km).isMoreThan(
    numberOf(max_km),
  );
  expectThat({ field: "road_km", where: `at a straight-line distance of ${FAR_KM} km` }, road_km).isLessThan(
    FAR_KM * MAX_DETOUR,
  );
}

const howFar = check({
  id: "service-area.how-far",
  title:
    "HIZMET_DISI reports the road distance and the service limit in kilometres, and a smaller limit once the area is smaller",
  clauses: [clause["NEW-50"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, configureStore, order, point } = context;
    const store = await newStoreWithArea(context);
    const limitIn = async () => {
      const response = await api.createDelivery(await order(storeAndDropoff(store, north(point, FAR_KM))));
      const error = response.expectError(422, "HIZMET_DISI");
      expectDetails(error);
      return isObject(error.details) ? numberOf(error.details.max_km) : Number.NaN;
    };
    const limit = await limitIn();
    await configureStore(store.id, { radius_m: 2_500, max_road_km: 4 });
    expectThat({ field: "max_km", where: "once the area is smaller" }, await limitIn()).isLessThan(limit);
  },
});

const howFarAsQuoted = check({
  id: "service-area.how-far-as-quoted",
  title: "HIZMET_DISI contains the same max_km as a quote for the same store",
  clauses: [clause["NEW-54"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, order, point } = context;
    const store = await newStoreWithArea(context);
    const { max_km = null } = expectQuote(await api.createQuote(quoteRequest(store, near(point))));
    if (max_km === null) throw new CheckSkipped("a quote for a drop-off near the store has no max_km");
    const response = await api.createDelivery(await order(storeAndDropoff(store, north(point, FAR_KM))));
    const { details } = response.expectError(422, "HIZMET_DISI");
    expectThat(
      { field: "max_km", where: "in error.details, compared with the quote's" },
      isObject(details) ? details.max_km : undefined,
    ).is(max_km);
  },
});

const roadOfANewAddress = check({
  id: "service-area.road-of-a-new-address",
  title: "each new drop-off with coordinates recomputes road_km, if the service returns it",
  clauses: [clause["PATCH-26"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithArea(context);
    const { id, road_km: before = null } = await createDelivery(context, storeAndDropoff(store, near(point)));
    const roadTo = async (to: Point) =>
      (await changeDelivery(api, id, { dropoff: storeAndDropoff(store, to).dropoff })).road_km ?? null;
    const away = await roadTo(north(point, INSIDE_AREA_KM));
    const back = await roadTo(near(point, 2));
    // Whether the server knows a road, and which road, is unspecified.
    if (before === null || away === null || back === null) throw new CheckSkipped("road_km isn't returned");
    expectThat(`road_km ${INSIDE_AREA_KM} km from the store, compared with near the store`, away).isMoreThan(
      before,
    );
    expectThat(
      `road_km near the store again, compared with ${INSIDE_AREA_KM} km from the store`,
      back,
    ).isLessThan(away);
  },
});

const farChange = check({
  id: "service-area.far-change",
  title: "changing the drop-off to one far outside the area is refused with HIZMET_DISI and changes nothing",
  clauses: [clause["PATCH-5"], clause["ERR-7"], clause["PATCH-6"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithArea(context);
    const moveTo = (to: Point) => ({
      dropoff: { ...storeAndDropoff(store, to).dropoff, text: "Başka Sokak 8, İstanbul" },
    });
    const waiting = { store: { external_store_id: store.external_store_id } };
    const nearbyOrder = storeAndDropoff(store, near(point));
    const unusual = Object.entries(await unusualAttributes(context, nearbyOrder));
    const creations = {
      "with coordinates": () => createDelivery(context, nearbyOrder),
      "without coordinates": () => createUnlocatedDelivery(context, waiting),
      ...Object.fromEntries(
        unusual.map(([name, attributes]) => [
          name,
          () => createDelivery(context, { ...nearbyOrder, ...attributes }),
        ]),
      ),
    };
    const expectMoveRefused = async (create: () => Promise<Schemas["Delivery"]>) => {
      const { id } = await create();
      const before = await readDelivery(api, id);
      const refused = await api.updateDelivery(id, moveTo(north(point, FAR_KM)));
      const error = attributeFailures([clause["PATCH-5"]], () => refused.expectError(422, "HIZMET_DISI"));
      attributeFailures([clause["ERR-7"]], () => expectDetails(error));
      const after = await readDelivery(api, id);
      attributeFailures([clause["PATCH-6"]], () => {
        const where = "after the refused change";
        expectThat({ field: "dropoff.text", where }, after.dropoff?.text).is(before.dropoff?.text);
        // The service may have found the coordinates of the text meanwhile (OPEN-83).
        if (before.status !== after.status) return;
        expectThat({ field: "distance_m", where }, after.distance_m).is(before.distance_m);
        expectThat({ field: "fee", where }, feeOf(after)).is(feeOf(before));
      });
      (await api.updateDelivery(id, moveTo(near(point, 2)))).expectSuccess();
    };
    await context.each(casesFrom("deliveries", creations), ([, create]) => expectMoveRefused(create), {
      concurrency: CONCURRENT_ORDERS,
    });
  },
});

/** Within the area, and no multiple of a hundred metres, so that rounding to hundreds shows. */
const UNEVEN_KM = 1.55;

const afterAMove = check({
  id: "service-area.after-a-move",
  title:
    "after a store has moved, the service area of its quotes, orders and changed addresses is around its new location, from which a distance beyond a kilometre is measured too",
  clauses: [clause["QUOTE-5"], clause["NEW-49"], clause["PATCH-5"], clause["DLV-87"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, attributeTo, order, point } = context;
    const store = await newStoreWithArea(context);
    const moved = north(point, FAR_KM);
    const address = { text: streetAddress(), ...moved };
    (await api.registerStore(repeatRegistration(store, { address }))).body(200);
    attributeTo(clause["QUOTE-5"]);
    const quoteFor = async (to: Point) => expectQuote(await api.createQuote(quoteRequest(store, to)));
    const where = "near the location to which a repeated registration has moved the store";
    expectThat({ field: "serviceable", where }, (await quoteFor(near(moved))).serviceable).is(true);
    expectThat("the reason near the old location", (await quoteFor(near(point))).reason).is("HIZMET_DISI");
    attributeTo(clause["NEW-49"]);
    const place = north(moved, UNEVEN_KM);
    const { id, distance_m } = (await api.createDelivery(await order(storeAndDropoff(store, place)))).body(
      201,
    );
    attributeTo(clause["DLV-87"]);
    expectStraightLine(distance_m, moved, place);
    attributeTo(clause["NEW-49"]);
    const farOrder = await order(storeAndDropoff(store, near(point)));
    (await api.createDelivery(farOrder)).expectError(422, "HIZMET_DISI");
    attributeTo(clause["PATCH-5"]);
    (
      await api.updateDelivery(id, { dropoff: storeAndDropoff(store, near(moved, 2)).dropoff })
    ).expectSuccess();
    (await api.updateDelivery(id, { dropoff: farOrder.dropoff })).expectError(422, "HIZMET_DISI");
  },
});

const changeOfAnAssigned = check({
  id: "service-area.change-of-an-assigned-delivery",
  title:
    "while the courier is on the way to the restaurant, a new drop-off changes distance_m, and is refused outside the area",
  clauses: [clause["PATCH-23"], clause["PATCH-5"]],
  needs: ["pairing", "store-settings", "courier"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithArea(context);
    const { id } = await createDelivery(context, storeAndDropoff(store, near(point)));
    await context.performCourierActionsUpTo(id, "assigned");
    const before = await readDelivery(api, id);
    const far = storeAndDropoff(store, north(point, FAR_KM)).dropoff;
    context.attributeTo(clause["PATCH-5"]);
    (await api.updateDelivery(id, { dropoff: far })).expectError(422, "HIZMET_DISI");
    context.attributeTo(clause["PATCH-23"]);
    const distanceAt = async (to: Point) => {
      const { distance_m } = await changeDelivery(api, id, { dropoff: storeAndDropoff(store, to).dropoff });
      return numberIn(distance_m, "distance_m");
    };
    const across = await distanceAt(north(point, INSIDE_AREA_KM));
    const nearby = numberIn(before.distance_m, "distance_m");
    const of = `of a delivery with status ${before.status}, after a PATCH of dropoff`;
    expectThat(
      { field: "distance_m", where: `${of} to a place ${INSIDE_AREA_KM} km from the store` },
      across,
      { note: unchangedNote(nearby, across) },
    ).isMoreThan(nearby);
    const back = await distanceAt(near(point, 2));
    expectThat({ field: "distance_m", where: `${of} back to a place near the store` }, back, {
      note: unchangedNote(across, back),
    }).isLessThan(across);
  },
});

export const serviceAreaChecks: readonly Check[] = [
  inactiveStore,
  farOrder,
  howFar,
  howFarAsQuoted,
  roadOfANewAddress,
  ...serviceAreaFeesChecks,
  farChange,
  afterAMove,
  changeOfAnAssigned,
];
