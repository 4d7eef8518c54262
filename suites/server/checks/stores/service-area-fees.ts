import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { streetAddress } from "../../session/sample-data/sample-data.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { finishReturn, startReturn } from "../../support/courier/courier.ts";
import { findOnceListed, listOnceShown } from "../../support/lists/delivery-list.ts";
import { changeDelivery, createDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { near, withoutCoordinates } from "../../support/orders/orders.ts";
import {
  amountOf,
  feeOf,
  INSIDE_AREA_KM,
  newStoreWithArea,
  newStoreWithPrices,
  north,
  SERVICE_AREA,
  storeAndDropoff,
} from "../../support/service-area.ts";
import { numberIn, unchangedNote } from "../../support/shown-values.ts";
import { repeatRegistration } from "../../support/stores.ts";

/** A price without decimals, so that the fee isn't rounded. */
const FLAT_PRICE = { base: 80, per_km: 0, currency: "TRY", vat_included: false } as const;

const fee = check({
  id: "service-area.fee",
  title:
    "a delivery has a fee if its courier company has a price table and the drop-off has coordinates, those of the restaurant too",
  clauses: [clause["DLV-35"], clause["DLV-38"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    context.recordCoverage("keys-of-a-fee", elementsOf("keys-of-a-fee"));
    const store = await newStoreWithPrices(context);
    const priced = await createDelivery(context, storeAndDropoff(store, near(context.point)));
    const { fee: full } = priced;
    context.attributeTo(clause["DLV-38"]);
    expectThat({ field: "fee", where: "with a price table and a location" }, full ?? null).isNot(null);
    context.attributeTo(clause["DLV-35"]);
    expectThat("fee.amount", numberIn(full?.amount, "fee.amount")).isMoreThan(0);
    expectThat("fee.currency", full?.currency).isText();
    expectThat("fee.vat_included", full?.vat_included).isBoolean();
    const [item] = await findOnceListed(context.api, priced.external_ref, priced.id);
    context.attributeTo(clause["DLV-38"]);
    expectThat({ field: "fee", where: "in the list" }, item && feeOf(item)).is(feeOf(priced));
    // A server that takes a distance of 0 for a missing location would set no fee.
    const inside = await createDelivery(context, storeAndDropoff(store, context.point));
    expectThat({ field: "fee", where: "at the restaurant itself" }, inside.fee ?? null).isNot(null);
    await context.configureStore(store.id, { price: { ...FLAT_PRICE, base: 0 } });
    const free = await createDelivery(context, storeAndDropoff(store, near(context.point)));
    expectThat({ field: "fee", where: "with a price of 0" }, free.fee ?? null).isNot(null);
  },
});

const noFee = check({
  id: "service-area.no-fee",
  title: "a delivery has no fee if its courier company has no price table or the drop-off has no coordinates",
  clauses: [clause["DLV-36"], clause["DLV-37"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const store = await newStoreWithArea(context);
    context.attributeTo(clause["DLV-37"]);
    expectThat(
      { field: "fee", where: "without a location" },
      (await createDelivery(context, storeAndDropoff(store))).fee ?? null,
    ).is(null);
    context.attributeTo(clause["DLV-36"]);
    await context.configureStore(store.id, { price: null });
    const unpriced = await createDelivery(context, storeAndDropoff(store, near(context.point)));
    expectThat({ field: "fee", where: "without a price table" }, unpriced.fee ?? null).is(null);
  },
});

const removedPrices = check({
  id: "service-area.fee-after-prices-are-removed",
  title: "a delivery has no fee once its courier company's price table has been removed",
  clauses: [clause["DLV-79"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const store = await newStoreWithPrices(context);
    const parts = storeAndDropoff(store, near(context.point));
    expectThat("fee.amount with a price table", amountOf(await createDelivery(context, parts))).isMoreThan(0);
    await context.configureStore(store.id, { price: null });
    expectThat(
      { field: "fee", where: "after the price table was removed" },
      (await createDelivery(context, parts)).fee ?? null,
    ).is(null);
  },
});

const withoutVat = check({
  id: "service-area.fee-without-vat",
  title: "the fee excludes VAT, and fee.vat_included is false",
  clauses: [clause["DLV-39"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const store = await newStoreWithPrices(context);
    const delivery = await createDelivery(context, storeAndDropoff(store, near(context.point)));
    expectThat("fee.amount", amountOf(delivery)).isMoreThan(0);
    expectThat("fee.vat_included", delivery.fee?.vat_included).is(false);
  },
});

const feeFollowsDistance = check({
  id: "service-area.fee-follows-distance",
  title: "a farther drop-off costs more if there is a price per kilometre",
  clauses: [clause["DLV-40"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { point, property } = context;
    const store = await newStoreWithPrices(context);
    await property(
      fc.record({
        nearer: fc.integer({ min: 1, max: 20 }).map((steps) => steps / 10),
        // A difference of more than a kilometre, so that a fee by rounded-up kilometres rises too.
        more: fc.integer({ min: 15, max: 20 }).map((steps) => steps / 10),
      }),
      async ({ nearer, more }) => {
        const first = await createDelivery(context, storeAndDropoff(store, north(point, nearer)));
        const second = await createDelivery(context, storeAndDropoff(store, north(point, nearer + more)));
        expectThat({ field: "fee", where: "of the farther order" }, amountOf(second)).isMoreThan(
          amountOf(first),
        );
      },
      {
        runs: 5,
        concurrency: 5,
        describe: ({ nearer, more }) => `one order ${nearer} km to the north, another ${more} km farther`,
      },
    );
  },
});

const feeOfNewAddress = check({
  id: "service-area.fee-of-a-new-address",
  title:
    "each new drop-off with coordinates recomputes the fee, which is that of a new delivery there, and which the list shows too",
  clauses: [clause["PATCH-4"], clause["STATE-9"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithPrices(context);
    const before = await createDelivery(context, storeAndDropoff(store, near(point)));
    const movedTo = (to: Point) =>
      changeDelivery(api, before.id, { dropoff: storeAndDropoff(store, to).dropoff });
    const farther = north(point, INSIDE_AREA_KM);
    const away = await movedTo(farther);
    context.attributeTo(clause["PATCH-4"]);
    expectThat({ field: "fee", where: "after a PATCH of dropoff to a place farther away" }, amountOf(away), {
      note: unchangedNote(amountOf(before), amountOf(away)),
    }).isMoreThan(amountOf(before));
    const fresh = await createDelivery(context, storeAndDropoff(store, farther));
    expectThat(
      { field: "fee", where: "after a PATCH of dropoff, compared with a new delivery there" },
      feeOf(away),
    ).is(feeOf(fresh));
    const back = await movedTo(near(point, 2));
    expectThat(
      { field: "fee", where: "after the second PATCH of dropoff, back to a place nearby" },
      amountOf(back),
      { note: unchangedNote(amountOf(away), amountOf(back)) },
    ).isLessThan(amountOf(away));
    const [item] = await listOnceShown(api, { external_ref: before.external_ref }, [back]);
    expectThat({ field: "fee", where: "in the list" }, item && feeOf(item)).is(feeOf(back));
    context.attributeTo(clause["STATE-9"]);
    const waiting = await createDelivery(context, storeAndDropoff(store));
    const located = await changeDelivery(api, waiting.id, {
      dropoff: storeAndDropoff(store, farther).dropoff,
    });
    expectThat(
      { field: "fee", where: "of added coordinates, compared with a new delivery there" },
      feeOf(located),
    ).is(feeOf(fresh));
  },
});

const feeOfAssignedDelivery = check({
  id: "service-area.fee-of-an-assigned-delivery",
  title: "each new drop-off recomputes the fee while the courier is on the way to the restaurant",
  clauses: [clause["PATCH-4"]],
  needs: ["pairing", "store-settings", "courier"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithPrices(context);
    const before = await createDelivery(context, storeAndDropoff(store, near(point)));
    await context.performCourierActionsUpTo(before.id, "assigned");
    const moveTo = (to: Point) =>
      changeDelivery(api, before.id, { dropoff: storeAndDropoff(store, to).dropoff });
    const nearby = amountOf(before);
    const moved = await moveTo(north(point, INSIDE_AREA_KM));
    const away = amountOf(moved);
    const of = `of a delivery with status ${moved.status}, after a PATCH of dropoff`;
    const ofSecond = `of a delivery with status ${moved.status}, after the second PATCH of dropoff,`;
    expectThat({ field: "fee", where: `${of} to a place farther away` }, away, {
      note: unchangedNote(nearby, away),
    }).isMoreThan(nearby);
    const back = amountOf(await moveTo(near(point, 2)));
    expectThat({ field: "fee", where: `${ofSecond} back to a place nearby` }, back, {
      note: unchangedNote(away, back),
    }).isLessThan(away);
  },
});

const feeOnceLocated = check({
  id: "service-area.fee-once-located",
  title: "a delivery gets its fee when it gets its coordinates",
  clauses: [clause["STATE-9"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, order, point } = context;
    const store = await newStoreWithPrices(context);
    const locatedAt = async (to: Point) => {
      const { id } = (await api.createDelivery(withoutCoordinates(await order(storeAndDropoff(store))))).body(
        201,
      );
      (await api.updateDelivery(id, { dropoff: storeAndDropoff(store, to).dropoff })).expectSuccess();
      return (await api.getDelivery(id)).body(200);
    };
    const nearby = await locatedAt(near(point));
    const away = await locatedAt(north(point, INSIDE_AREA_KM));
    expectThat({ field: "fee", where: "near the store" }, amountOf(nearby)).isMoreThan(0);
    expectThat({ field: "fee", where: `${INSIDE_AREA_KM} km from the store` }, amountOf(away)).isMoreThan(
      amountOf(nearby),
    );
  },
});

const feeIsThePrice = check({
  id: "service-area.fee-is-the-price",
  title:
    "the fee equals the base price of the delivery's own store, also after a change of the address, if there is no price per kilometre and no VAT is included",
  clauses: [clause["DLV-63"]],
  needs: ["company-codes", "pairing", "store-settings"],
  async run(context) {
    const { companyPairingCode, configureStore, linkStore, point } = context;
    const first = await newStoreWithPrices(context, { price: FLAT_PRICE });
    // A company may have one price table for all of its stores.
    const { pairing_code } = await companyPairingCode({ company: "Haliç Kurye" });
    const second = await linkStore({ pairing_code });
    const higher = { ...FLAT_PRICE, base: FLAT_PRICE.base + 15 };
    await configureStore(second.id, { ...SERVICE_AREA, price: higher });
    const stores = {
      "the first store": [first, FLAT_PRICE],
      "the store of another company": [second, higher],
    } as const;
    await context.each(casesFrom("stores", stores), async ([, [store, { base }]]) => {
      const delivery = await createDelivery(context, storeAndDropoff(store, near(point)));
      expectThat("fee.amount", amountOf(delivery)).isNear(base, 2);
      const { dropoff } = storeAndDropoff(store, near(point, 2));
      const moved = await changeDelivery(context.api, delivery.id, { dropoff });
      expectThat("fee.amount after a change of the address", amountOf(moved)).isNear(base, 2);
    });
  },
});

const feeCurrency = check({
  id: "service-area.fee-currency",
  title: "equal prices in euros and in liras result in different fees",
  clauses: [clause["DLV-71"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { configureStore, point } = context;
    const store = await newStoreWithPrices(context, { price: FLAT_PRICE });
    const feeText = async () => {
      const delivery = await createDelivery(context, storeAndDropoff(store, near(point)));
      return `${amountOf(delivery)} ${delivery.fee?.currency}`;
    };
    const liras = await feeText();
    await configureStore(store.id, { price: { ...FLAT_PRICE, currency: "EUR" } });
    // Whether the fee is returned in the price's currency or converted is unspecified.
    expectThat(
      {
        field: "fee",
        where: `for a base price of ${FLAT_PRICE.base} EUR, compared with ${FLAT_PRICE.base} TRY`,
      },
      await feeText(),
    ).isNot(liras);
  },
});

const feeFixedAtCreation = check({
  id: "service-area.fee-fixed-at-creation",
  title:
    "the fee doesn't change with a new price table, a move of the store or a new note, and a new delivery after the move has a fee too",
  clauses: [clause["DLV-64"], clause["DLV-38"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, attributeTo, configureStore, point } = context;
    const store = await newStoreWithPrices(context);
    const [key, body] = [newIdempotencyKey(), await context.order(storeAndDropoff(store, near(point)))];
    const { id, ...created } = (await api.createDelivery(body, { key })).body(201);
    const expected = amountOf(created);
    const feeNow = async () => amountOf(await readDelivery(api, id));
    attributeTo(clause["DLV-64"]);
    await configureStore(store.id, { price: { ...SERVICE_AREA.price, base: 3 * SERVICE_AREA.price.base } });
    expectThat({ field: "fee", where: "after a new price table" }, await feeNow()).is(expected);
    const again = (await api.createDelivery(body, { key })).body(200);
    expectThat(
      { field: "fee", where: "in the response to the repeated creation, after a new price table" },
      amountOf(again),
    ).is(expected);
    const address = { text: streetAddress(), ...near(point, -4) };
    (await api.registerStore(repeatRegistration(store, { address }))).body(200);
    expectThat(
      { field: "fee", where: "after a repeated registration has moved the store" },
      await feeNow(),
    ).is(expected);
    (await api.updateDelivery(id, { notes: "Zile basmayın" })).expectSuccess();
    expectThat({ field: "fee", where: "after a new note" }, await feeNow()).is(expected);
    attributeTo(clause["DLV-38"]);
    const later = await createDelivery(context, storeAndDropoff(store, near(point)));
    expectThat(
      { field: "fee", where: "of a new delivery after a repeated registration has moved the store" },
      later.fee ?? null,
    ).isNot(null);
  },
});

const feeOnTheWay = check({
  id: "service-area.fee-on-the-way",
  title: "the fee doesn't change with courier actions",
  clauses: [clause["DLV-64"]],
  needs: ["pairing", "store-settings", "courier"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithPrices(context);
    const { id, ...created } = await createDelivery(context, storeAndDropoff(store, near(point)));
    const expected = amountOf(created);
    const feeNow = async () => amountOf(await readDelivery(api, id));
    await context.performCourierActionsUpTo(id, "en_route");
    expectThat({ field: "fee", where: "during the delivery" }, await feeNow()).is(expected);
    for (const action of ["arrived", "delivered"] as const) await context.performCourierAction(id, action);
    expectThat({ field: "fee", where: "after the delivery" }, await feeNow()).is(expected);
  },
});

const feeOfReturn = check({
  id: "service-area.fee-of-a-return",
  title: "the fee doesn't change while the package goes back to the restaurant, and after that",
  clauses: [clause["DLV-89"]],
  needs: ["pairing", "store-settings", "courier"],
  async run(context) {
    const store = await newStoreWithPrices(context);
    const { id, ...created } = await createDelivery(context, storeAndDropoff(store, near(context.point)));
    const expectSameFee = async (where: string) =>
      expectThat({ field: "fee", where }, amountOf(await readDelivery(context.api, id))).is(
        amountOf(created),
      );
    await startReturn(context, id);
    await expectSameFee("on the way back");
    await finishReturn(context, id);
    await expectSameFee("after the return");
  },
});

export const serviceAreaFeesChecks: readonly Check[] = [
  fee,
  noFee,
  removedPrices,
  withoutVat,
  feeIsThePrice,
  feeCurrency,
  feeFixedAtCreation,
  feeOnTheWay,
  feeOfReturn,
  feeFollowsDistance,
  feeOfNewAddress,
  feeOfAssignedDelivery,
  feeOnceLocated,
];
