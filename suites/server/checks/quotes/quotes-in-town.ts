import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type BaseContext, type Check, type ContextFor, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { streetAddress } from "../../session/sample-data/sample-data.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import type { LinkedStore } from "../../session/stores/stores.ts";
import { changeDelivery, createDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { createPrepaidDelivery } from "../../support/orders/prepaid.ts";
import {
  expectQuote,
  expectQuoted,
  FAR_KM,
  feeOf,
  INSIDE_AREA_KM,
  newStoreWithArea,
  newStoreWithPrices,
  north,
  quoteRequest,
  SERVICE_AREA,
  storeAndDropoff,
} from "../../support/service-area.ts";
import { repeatRegistration } from "../../support/stores.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The drop-off's distances from the stores' old and new locations all differ. */
const MOVES_KM = { "one store": 3, "another store": 1.5 };

/**
 * The reason in a quote, or the code of an error, because a suspended store may be refused with 409 (OPEN-64).
 */
const reasonIn = (response: ApiResponse<"createQuote">): string | null | undefined =>
  response.status === 409 ? response.expectError(409).code : expectQuote(response).reason;

const farAway = check({
  id: "quotes.far",
  title:
    "a drop-off far outside the store's area isn't serviceable, with the reason HIZMET_DISI, now or at a later time",
  clauses: [clause["QUOTE-5"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, now, point } = context;
    const store = await newStoreWithArea(context);
    const times = {
      "for now": {},
      "ready in an hour": { ready_at: isoInstant(now() + HOUR_MS) },
      "scheduled for tomorrow": { scheduled_for: isoInstant(now() + DAY_MS) },
    };
    const nearby = expectQuote(await api.createQuote(quoteRequest(store, near(point))));
    expectThat("serviceable near the store", nearby.serviceable).is(true);
    await context.each(
      casesFrom("times", times),
      async ([, time]) => {
        const request = quoteRequest(store, north(point, FAR_KM));
        const quote = expectQuote(await api.createQuote({ ...request, ...time }));
        expectThat(`serviceable ${FAR_KM} km away`, quote.serviceable).is(false);
        expectThat(`the reason ${FAR_KM} km away`, quote.reason).is("HIZMET_DISI");
      },
      { concurrency: 3 },
    );
  },
});

const suspendedStore = check({
  id: "quotes.suspended-store",
  title:
    "a suspended store isn't serviceable, with the reason MAGAZA_PASIF, until it is active again, unlike the integrator's other stores",
  clauses: [clause["QUOTE-6"], clause["QUOTE-32"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, configureStore, now, point } = context;
    const store = await newStoreWithArea(context);
    const other = await context.store();
    const requestQuote = () => api.createQuote(quoteRequest(store, near(point)));
    context.attributeTo(clause["QUOTE-6"]);
    expectThat(
      { field: "serviceable", where: "while active" },
      expectQuote(await requestQuote()).serviceable,
    ).is(true);
    await context.each(cases("states of the store", ["suspended", "closed"] as const), async (status) => {
      await configureStore(store.id, { status });
      context.attributeTo(clause["QUOTE-6"]);
      expectThat(`the reason while ${status}`, reasonIn(await requestQuote())).is("MAGAZA_PASIF");
      context.attributeTo(clause["QUOTE-32"]);
      const elsewhere = await api.createQuote(quoteRequest(other, near(point)));
      expectThat(
        { field: "reason", where: `for another store while one is ${status}` },
        reasonIn(elsewhere) ?? null,
      ).isNot("MAGAZA_PASIF");
      context.attributeTo(clause["QUOTE-6"]);
      const later = { ...quoteRequest(store, near(point)), scheduled_for: isoInstant(now() + DAY_MS) };
      expectThat(`the reason for tomorrow while ${status}`, reasonIn(await api.createQuote(later))).is(
        "MAGAZA_PASIF",
      );
      await configureStore(store.id, { status: "active" });
      expectThat(
        { field: "serviceable", where: "once active again" },
        expectQuote(await requestQuote()).serviceable,
      ).is(true);
    });
  },
});

const QUOTE_REASONS = ["HIZMET_DISI", "MAGAZA_PASIF", "MAGAZA_KONUMSUZ", "KONUM_GECERSIZ"];

const reasons = check({
  id: "quotes.reasons",
  title: "a quote's reason is one of the four listed",
  clauses: [clause["QUOTE-4"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, configureStore, each, point } = context;
    const store = await newStoreWithArea(context);
    const places = [near(point), north(point, FAR_KM), { lat: 0, lng: 0 }, { lat: -48.9, lng: -123.4 }];
    const expectKnownReason = async (place: Point) => {
      const reason = reasonIn(await api.createQuote(quoteRequest(store, place)));
      expectThat("reason", reason ?? null).isOneOf([null, ...QUOTE_REASONS]);
    };
    await each(
      cases("places", places, ({ lat, lng }) => `${lat},${lng}`),
      expectKnownReason,
    );
    await configureStore(store.id, { status: "suspended" });
    await expectKnownReason(near(point));
  },
});

const sameFee = check({
  id: "quotes.same-fee",
  title:
    "the fee of a quote equals that of a delivery created immediately afterwards, for each kind of price",
  clauses: [clause["QUOTE-13"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, configureStore, now, order, point, property } = context;
    const store = await newStoreWithPrices(context);
    let hasFee = false;
    await property(
      fc.record({
        km: fc.integer({ min: 1, max: 40 }).map((steps) => (steps * INSIDE_AREA_KM) / 40),
        // Prices aren't simplified: small ones would hide by how much the fees differ.
        base: fc.noShrink(fc.integer({ min: 0, max: 10_000 }).map((kurus) => kurus / 100)),
        per_km: fc.noShrink(fc.integer({ min: 1, max: 5_000 }).map((kurus) => kurus / 100)),
        scheduled: fc.boolean(),
      }),
      async ({ km, base, per_km, scheduled }) => {
        const schedule = scheduled ? { scheduled_for: isoInstant(now() + DAY_MS) } : {};
        await configureStore(store.id, { price: { ...SERVICE_AREA.price, base, per_km } });
        const place = north(point, km);
        const quoted = await api.createQuote({ ...quoteRequest(store, place), ...schedule });
        const quote = expectQuote(quoted);
        const body = await order({ ...storeAndDropoff(store, place), ...schedule });
        const delivery = (await api.createDelivery(body)).body(201);
        expectQuoted({ field: "fee", where: "of a quote" }, feeOf(quote), feeOf(delivery), quoted, {
          before: `the price was set to ${base} + ${per_km} a kilometre before the quote`,
        });
        hasFee ||= (delivery.fee ?? null) !== null;
      },
      {
        runs: 8,
        describe: ({ km, base, per_km, scheduled }) =>
          `price ${base} + ${per_km} a kilometre: a quote for ${km} km to the north${scheduled ? ", tomorrow" : ""}, then a delivery there`,
      },
    );
    if (!hasFee) throw new CheckSkipped("no quote and no delivery has a fee, although a price is set");
  },
});

/** Compares the fee of a quote with that of a delivery that is created right after it, which it returns. */
async function expectSameFee(
  api: BaseContext["api"],
  request: Schemas["QuoteRequest"],
  create: () => Promise<Schemas["Delivery"]>,
): Promise<Schemas["Delivery"]> {
  const quoted = await api.createQuote(request);
  const quote = expectQuote(quoted);
  const delivery = await create();
  if ((quote.fee ?? delivery.fee ?? null) === null)
    throw new CheckSkipped("neither the quote nor the delivery has a fee, although a price is set");
  expectQuoted({ field: "fee", where: "of a quote" }, feeOf(quote), feeOf(delivery), quoted);
  return delivery;
}

const sameFeeForAnyOrder = check({
  id: "quotes.same-fee-for-any-order",
  title:
    "the fee of a quote equals that of a delivery created immediately afterwards with several packages, a large amount, a PIN, prepaid, ready later, or at the restaurant itself",
  clauses: [clause["QUOTE-13"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, point } = context;
    const store = await newStoreWithPrices(context);
    const away = north(point, INSIDE_AREA_KM);
    const route = storeAndDropoff(store, away);
    const { payment } = await context.order();
    const items = Array.from({ length: 30 }, (_, line) => ({
      name: `Meze ${line + 1}`,
      quantity: 10,
      total: 150,
    }));
    const large = { payment: { ...payment, amount_due: 4_500 }, items };
    const readyLater = { ready_at: isoInstant(context.now() + HOUR_MS) };
    const orders = {
      "ready in an hour": [away, () => createDelivery(context, { ...route, ...readyLater }), readyLater],
      "with several packages": [away, () => createDelivery(context, { ...route, package_count: 4 })],
      "with 20 packages": [away, () => createDelivery(context, { ...route, package_count: 20 })],
      "with a large amount and many items": [away, () => createDelivery(context, { ...route, ...large })],
      "with a PIN": [away, () => createDelivery(context, { ...route, require_pin: true })],
      prepaid: [away, () => createPrepaidDelivery(context, route)],
      "at the restaurant itself": [point, () => createDelivery(context, storeAndDropoff(store, point))],
    } as const;
    await context.each(
      casesFrom("orders", orders),
      async ([, [place, create, time]]) => {
        await expectSameFee(api, { ...quoteRequest(store, place), ...time }, create);
      },
      { concurrency: 7 },
    );
  },
});

/** Sets a price in euros. A service that takes no such price keeps its price in liras. */
async function setPriceInEuros(
  { configureStore, note }: ContextFor<"store-settings">,
  { id }: LinkedStore,
): Promise<void> {
  try {
    await configureStore(id, { price: { ...SERVICE_AREA.price, currency: "EUR" } });
  } catch (error) {
    if (!(error instanceof CheckSkipped)) throw error;
    note("a price in euros is refused, so the price is in liras");
  }
}

const sameFeeInEuros = check({
  id: "quotes.same-fee-in-euros",
  title:
    "with a price in euros, the fee of a quote equals that of a delivery created immediately afterwards, and a changed address leaves its currency",
  clauses: [clause["QUOTE-13"], clause["PATCH-4"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, attributeTo, point } = context;
    const store = await newStoreWithPrices(context);
    await setPriceInEuros(context, store);
    const away = north(point, INSIDE_AREA_KM);
    attributeTo(clause["QUOTE-13"]);
    const { id, fee } = await expectSameFee(api, quoteRequest(store, away), () =>
      createDelivery(context, storeAndDropoff(store, away)),
    );
    attributeTo(clause["PATCH-4"]);
    const { dropoff } = storeAndDropoff(store, near(point));
    const moved = await changeDelivery(api, id, { dropoff });
    expectThat({ field: "fee.currency", where: "after a change of the address" }, moved.fee?.currency).is(
      fee?.currency,
    );
  },
});

const afterAMove = check({
  id: "quotes.after-a-move",
  title:
    "after two stores have moved, distance and fee of a quote from each equal those of a delivery created immediately afterwards",
  clauses: [clause["QUOTE-28"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, order, point } = context;
    // A new place, because the server may return the first quote again for the same place (OPEN-65, OPEN-66).
    const place = north(point, INSIDE_AREA_KM);
    await context.each(casesFrom("stores", MOVES_KM), async ([, km]) => {
      const store = await newStoreWithArea(context);
      const requestQuote = async (dropoff: Point) => {
        const quoted = await api.createQuote(quoteRequest(store, dropoff));
        const quote = expectQuote(quoted);
        if (quote.serviceable) return { quoted, quote };
        throw new CheckSkipped(
          `a drop-off in the service area isn't serviceable (${quote.reason ?? "no reason given"})`,
        );
      };
      await requestQuote(near(point));
      const moved = { text: streetAddress(), ...north(point, km) };
      (await api.registerStore(repeatRegistration(store, { address: moved }))).body(200);
      const { quoted, quote } = await requestQuote(place);
      const delivery = (await api.createDelivery(await order(storeAndDropoff(store, place)))).body(201);
      const where = "of a quote after the store moved";
      expectQuoted(
        { field: "distance_m", where },
        quote.distance_m ?? null,
        delivery.distance_m ?? null,
        quoted,
        { line: { from: moved, to: place } },
      );
      expectQuoted({ field: "fee", where }, feeOf(quote), feeOf(delivery), quoted);
    });
  },
});

const couriers = check({
  id: "quotes.couriers-on-shift",
  title: "couriers_on_shift is the number of couriers on shift for the quote's store",
  clauses: [clause["QUOTE-14"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { api, configureStore, point } = context;
    const [store, other] = [await newStoreWithArea(context), await newStoreWithArea(context)];
    const expectCouriers = async (linkedStore: LinkedStore, couriers: number) => {
      const quote = expectQuote(await api.createQuote(quoteRequest(linkedStore, near(point))));
      // A quote without couriers may not be serviceable, and may then omit the number (OPEN-61, OPEN-67).
      expectThat("couriers_on_shift", quote.couriers_on_shift ?? 0).is(couriers);
    };
    await context.each(cases("numbers of couriers", [7, 4, 0]), async (couriers_on_shift) => {
      await configureStore(store.id, { couriers_on_shift });
      await expectCouriers(store, couriers_on_shift);
    });
    // The changes of the first store must not affect the second.
    await expectCouriers(other, SERVICE_AREA.couriers_on_shift);
  },
});

export const quotesInTownChecks: readonly Check[] = [
  farAway,
  suspendedStore,
  reasons,
  sameFee,
  sameFeeForAnyOrder,
  sameFeeInEuros,
  afterAMove,
  couriers,
];
