import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckFailure, CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { randomBetween, streetAddress } from "../../session/sample-data/sample-data.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { expectEveryField } from "../../support/assertions.ts";
import {
  FILTER_MARGIN_MS,
  idsOf,
  listDeliveries,
  shiftInstant,
  waitUntilListed,
} from "../../support/lists/delivery-list.ts";
import { lookAlikesOf } from "../../support/look-alikes.ts";
import { expectEstimatesInOrder } from "../../support/orders/estimates.ts";
import { inIstanbul, near, toTheSecond } from "../../support/orders/orders.ts";
import {
  expectQuote,
  expectQuoted,
  newStoreWithArea,
  placesAllOver,
  quoteRequest,
} from "../../support/service-area.ts";
import { expectNoEarlier, instantIn } from "../../support/shown-values.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NULL_ISLAND = { lat: 0, lng: 0 };
/** A place in the ocean, and a distant capital (OPEN-96). */
const PLACES_ABROAD: readonly Point[] = [
  { lat: -48.9, lng: -123.4 },
  { lat: 35.68, lng: 139.69 },
];

/**
 * Returns the quote in a response.
 * @throws CheckSkipped if the quote isn't serviceable, because its other fields are then unspecified (OPEN-61)
 */
function expectServiceable(response: ApiResponse<"createQuote">): ReturnType<typeof expectQuote> {
  const quote = expectQuote(response);
  if (quote.serviceable) return quote;
  throw new CheckSkipped(
    `a drop-off near the store isn't serviceable (${quote.reason ?? "no reason given"})`,
  );
}

/** Drop-offs close to the store. Their coordinates differ in steps of a metre or less. */
const nearStore = (point: Point): fc.Arbitrary<Point> =>
  fc
    .record({ north: fc.integer({ min: 100, max: 300 }), east: fc.integer({ min: 100, max: 300 }) })
    .map(({ north, east }) => ({ lat: point.lat + north / 100_000, lng: point.lng + east / 100_000 }));

const ownStore = check({
  id: "quotes.own-store",
  smokeTestOf: "createQuote",
  title: "a quote is issued only for a linked store",
  clauses: [clause["QUOTE-16"], clause["QUOTE-22"]],
  async run({ api, attributeTo, each, store, point }) {
    const { external_store_id } = await store();
    attributeTo(clause["QUOTE-16"]);
    expectQuote(await api.createQuote(quoteRequest({ external_store_id }, near(point))));
    attributeTo(clause["QUOTE-22"]);
    const unknown = { external_store_id: `nobody-${drawnUuid()}` };
    (await api.createQuote(quoteRequest(unknown, near(point)))).expectError(404, "BULUNAMADI", "MAGAZA_YOK");
    await each(lookAlikesOf(external_store_id), async ([, other]) => {
      const request = quoteRequest({ external_store_id: other }, near(point));
      (await api.createQuote(request)).expectError(404, "BULUNAMADI", "MAGAZA_YOK");
    });
  },
});

const requiredFields = check({
  id: "quotes.required-fields",
  title: "a quote without its store, latitude or longitude is refused with DOGRULAMA",
  clauses: [clause["QUOTE-17"], clause["QUOTE-18"], clause["QUOTE-19"]],
  async run({ api, attributeTo, each, store, point }) {
    const complete = quoteRequest(await store(), near(point));
    const { lat, lng } = complete.dropoff;
    expectQuote(await api.createQuote(complete));
    const bodies = {
      "no store": { fieldClause: clause["QUOTE-17"], body: { dropoff: complete.dropoff } },
      "no store.external_store_id": { fieldClause: clause["QUOTE-17"], body: { ...complete, store: {} } },
      "no dropoff.lat": { fieldClause: clause["QUOTE-18"], body: { ...complete, dropoff: { lng } } },
      "no dropoff.lng": { fieldClause: clause["QUOTE-19"], body: { ...complete, dropoff: { lat } } },
    };
    await each(casesFrom("incomplete quotes", bodies), async ([rule, { fieldClause, body }]) => {
      attributeTo(fieldClause);
      (await api.sendInvalid("createQuote", rule, { body })).expectError(400, "DOGRULAMA");
    });
  },
});

/** Times of a quote, each in UTC and with an offset. */
const timesFrom = (now: () => number) => {
  const today = () => now() + randomBetween(1, 23) * HOUR_MS;
  const thisWeek = () => now() + randomBetween(4, 164) * HOUR_MS;
  return {
    "ready_at in UTC": () => ({ ready_at: toTheSecond(today()) }),
    "ready_at with an offset": () => ({ ready_at: inIstanbul(today()) }),
    "scheduled_for in UTC": () => ({ scheduled_for: toTheSecond(thisWeek()) }),
    "scheduled_for with an offset": () => ({ scheduled_for: inIstanbul(thisWeek()) }),
  };
};

const times = check({
  id: "quotes.times",
  title:
    "a quote accepts ready_at and scheduled_for, in UTC and with an offset, and estimates the drop-off no earlier than the pick-up",
  clauses: [clause["QUOTE-20"], clause["QUOTE-21"], clause["QUOTE-31"]],
  async run({ api, attributeTo, each, store, point, now }) {
    const body = quoteRequest(await store(), near(point));
    await each(casesFrom("ways to write a time", timesFrom(now)), async ([, time]) => {
      const times = time();
      attributeTo("ready_at" in times ? clause["QUOTE-20"] : clause["QUOTE-21"]);
      const quote = expectQuote(await api.createQuote({ ...body, ...times }));
      attributeTo(clause["QUOTE-31"]);
      // The values of a quote that isn't serviceable are unspecified (OPEN-61).
      expectEstimatesInOrder(quote.serviceable ? quote : {}, "of a quote");
    });
  },
});

const placeCases = (places: readonly Point[]) => cases("places", places, ({ lat, lng }) => `${lat},${lng}`);

const createsNothing = check({
  id: "quotes.creates-nothing",
  title: "a quote creates no delivery, for any time and location, with or without coordinates",
  clauses: [clause["QUOTE-23"]],
  // Deliveries of concurrent checks would look like deliveries that a quote created.
  isolation: "own-integrator",
  async run({ api, now, order, store, point }) {
    const { external_store_id } = await store();
    const requested = quoteRequest({ external_store_id }, near(point));
    const first = (await api.createDelivery(await order())).body(201);
    // Lists the deliveries of all stores, because a delivery that a quote created may lack its store.
    const window = { created_from: shiftInstant(first.created_at, -FILTER_MARGIN_MS) };
    const listedWith = async (expected: typeof first) => {
      if (!(await waitUntilListed(api, window, [expected])))
        throw new CheckFailure({
          subject: `the new delivery ${expected.id} in the list of deliveries`,
          relation: "to arrive",
        });
      return listDeliveries(api, window);
    };
    const knownIds = idsOf(await listedWith(first));
    expectQuote(await api.createQuote(requested));
    expectQuote(await api.createQuote({ ...requested, scheduled_for: isoInstant(now() + DAY_MS) }));
    expectQuote(await api.createQuote({ ...requested, dropoff: NULL_ISLAND }));
    const last = (await api.createDelivery(await order())).body(201);
    const unexpected = (await listedWith(last))
      .filter(({ id }) => id !== last.id && !knownIds.includes(id))
      // Ignores deliveries of other stores, because a quote for this store doesn't create them.
      .filter(({ store_id }) => (store_id ?? first.store_id) === first.store_id);
    expectThat("deliveries created by quotes", idsOf(unexpected)).isEmpty();
  },
});

const unlocated = check({
  id: "quotes.unlocated",
  title: "a drop-off at 0,0 or outside the country isn't serviceable, now or at a later time",
  clauses: [clause["QUOTE-8"], clause["QUOTE-9"]],
  async run({ api, each, now, store, point }) {
    const tomorrow = { scheduled_for: isoInstant(now() + DAY_MS) };
    const requests = [NULL_ISLAND, ...PLACES_ABROAD].flatMap((place) => [
      [`${place.lat},${place.lng}`, place, {}] as const,
      [`${place.lat},${place.lng}, scheduled for tomorrow`, place, tomorrow] as const,
    ]);
    await each(
      cases("places", requests, ([name]) => name),
      async ([name, place, time]) => {
        const body = { ...quoteRequest(await store(), place), ...time };
        const quote = expectQuote(await api.createQuote(body));
        attributeFailures([place === NULL_ISLAND ? clause["QUOTE-8"] : clause["QUOTE-9"]], () =>
          expectThat({ field: "serviceable", where: `at ${name}` }, quote.serviceable).is(false),
        );
      },
      { concurrency: 3 },
    );
    const nearby = expectQuote(await api.createQuote(quoteRequest(await store(), near(point))));
    expectThat("the reason near the store", nearby.reason).isNot("KONUM_GECERSIZ");
  },
});

const unlocatedReason = check({
  id: "quotes.unlocated-reason",
  title: "the reason for a drop-off outside the country is KONUM_GECERSIZ, now or at a later time",
  clauses: [clause["QUOTE-10"]],
  async run({ api, each, now, store, point }) {
    const tomorrow = { scheduled_for: isoInstant(now() + DAY_MS) };
    await each(placeCases(PLACES_ABROAD), async (place) => {
      const request = quoteRequest(await store(), place);
      const quote = expectQuote(await api.createQuote(request));
      expectThat(`the reason at ${place.lat},${place.lng}`, quote.reason).is("KONUM_GECERSIZ");
      const later = expectQuote(await api.createQuote({ ...request, ...tomorrow }));
      expectThat(`the reason at ${place.lat},${place.lng}, for tomorrow`, later.reason).is("KONUM_GECERSIZ");
    });
    const nearby = expectQuote(await api.createQuote(quoteRequest(await store(), near(point))));
    expectThat("the reason near the store", nearby.reason).isNot("KONUM_GECERSIZ");
  },
});

const inTheCountry = check({
  id: "quotes.in-the-country",
  title: "the reason for a drop-off inside the country is never KONUM_GECERSIZ",
  clauses: [clause["QUOTE-29"]],
  async run({ api, recordCoverage, each, store, point }) {
    const places = placesAllOver(point);
    recordCoverage(
      "places-of-the-country",
      places.map(([name]) => name),
    );
    await each(
      cases("places", [["near the store", near(point)] as const, ...places], ([name]) => name),
      async ([name, place]) => {
        const { reason } = expectQuote(await api.createQuote(quoteRequest(await store(), place)));
        expectThat(`the reason at ${place.lat},${place.lng} (${name})`, reason).isNot("KONUM_GECERSIZ");
      },
      { concurrency: 4 },
    );
  },
});

const nullIslandReason = check({
  id: "quotes.no-place-reason",
  title: "the reason for a drop-off at 0,0 is KONUM_GECERSIZ",
  clauses: [clause["QUOTE-26"]],
  async run({ api, store, point }) {
    const quote = expectQuote(await api.createQuote(quoteRequest(await store(), NULL_ISLAND)));
    expectThat("the reason at 0,0", quote.reason).is("KONUM_GECERSIZ");
    const nearby = expectQuote(await api.createQuote(quoteRequest(await store(), near(point))));
    expectThat("the reason near the store", nearby.reason).isNot("KONUM_GECERSIZ");
  },
});

const reasonOrServiceable = check({
  id: "quotes.reason-or-serviceable",
  title: "a quote has a reason if and only if it isn't serviceable",
  clauses: [clause["QUOTE-3"]],
  async run({ api, each, store, point }) {
    await each(placeCases([near(point), NULL_ISLAND, ...PLACES_ABROAD]), async (place) => {
      const { serviceable, reason = null } = expectQuote(
        await api.createQuote(quoteRequest(await store(), place)),
      );
      const expectation = expectThat(
        { field: "reason", where: `at ${place.lat},${place.lng}, serviceable: ${serviceable}` },
        reason,
      );
      if (serviceable) expectation.is(null);
      else expectation.isNot(null);
    });
  },
});

const allFields = check({
  id: "quotes.all-fields",
  title: "a quote has every listed field, whether serviceable or not",
  clauses: [clause["QUOTE-2"]],
  async run({ api, recordCoverage, each, store, point }) {
    recordCoverage("fields-of-a-quote", elementsOf("fields-of-a-quote"));
    await each(placeCases([near(point), NULL_ISLAND]), async (place) => {
      const quote = expectQuote(await api.createQuote(quoteRequest(await store(), place)));
      expectEveryField(quote, "Quote", `the quote at ${place.lat},${place.lng}`);
    });
  },
});

/**
 * Compares a field of quotes near the store, at the restaurant itself, and for later, with the field of deliveries
 * that are created right after, to the same place.
 */
async function expectSameInDelivery(
  field: "distance_m" | "road_km",
  { api, each, now, order, store, point, property }: BaseContext,
): Promise<void> {
  const from = await store();
  const expectSame = async (
    place: Point,
    time: Pick<Schemas["QuoteRequest"], "ready_at" | "scheduled_for">,
  ) => {
    const quoted = await api.createQuote({ ...quoteRequest(from, place), ...time });
    const quote = expectServiceable(quoted);
    const body = await order({ dropoff: { text: streetAddress(), ...place }, ...time });
    const delivery = (await api.createDelivery(body)).body(201);
    expectQuoted({ field, where: "of a quote" }, quote[field] ?? null, delivery[field] ?? null, quoted);
  };
  const lat = Number(from.lat ?? point.lat);
  const lng = Number(from.lng ?? point.lng);
  const quotes = {
    "at the restaurant itself": [{ lat, lng }, {}],
    "ready in an hour": [near(point), { ready_at: isoInstant(now() + HOUR_MS) }],
    "scheduled for tomorrow": [near(point), { scheduled_for: isoInstant(now() + DAY_MS) }],
  } as const;
  await each(casesFrom("quotes", quotes), ([, [place, time]]) => expectSame(place, time), { concurrency: 3 });
  await property(nearStore(point), (place) => expectSame(place, {}), {
    runs: 2,
    concurrency: 2,
    describe: ({ lat, lng }) => `a quote for ${lat},${lng}, then a delivery there`,
  });
}

const sameDistance = check({
  id: "quotes.same-distance",
  title:
    "the distance of a quote equals that of a delivery created immediately afterwards, now or for later, and at the restaurant itself",
  clauses: [clause["QUOTE-11"]],
  run: (context) => expectSameInDelivery("distance_m", context),
});

const ofTwoStores = check({
  id: "quotes.of-two-stores",
  title:
    "for each of two stores, the distance of a quote equals that of a delivery created immediately afterwards",
  clauses: [clause["QUOTE-30"]],
  needs: ["pairing", "store-settings"],
  async run({ api, configureStore, each, linkStore, order, point, store }) {
    const address = { text: streetAddress(), lat: point.lat - 0.004, lng: point.lng };
    const linkElsewhere = () => linkStore({ address });
    const other = await newStoreWithArea({ configureStore, linkStore: linkElsewhere });
    const stores = { "one store": await store(), "another store": other };
    const place = near(point);
    await each(casesFrom("stores", stores), async ([name, { external_store_id }]) => {
      const quoted = await api.createQuote(quoteRequest({ external_store_id }, place));
      const quote = expectServiceable(quoted);
      const dropoff = { text: streetAddress(), ...place };
      const body = await order({ store: { external_store_id }, dropoff });
      const delivery = (await api.createDelivery(body)).body(201);
      const what = { field: "distance_m", where: "of a quote" };
      const from = name === "one store" ? point : address;
      expectQuoted(what, quote.distance_m ?? null, delivery.distance_m ?? null, quoted, {
        line: { from, to: place },
      });
    });
  },
});

const sameRoad = check({
  id: "quotes.same-road",
  title: "the road distance of a quote equals that of a delivery created immediately afterwards",
  clauses: [clause["QUOTE-12"]],
  run: (context) => expectSameInDelivery("road_km", context),
});

const expiry = check({
  id: "quotes.expiry",
  title: "expires_at of a new quote is in the future, whether the quote is for now or for later",
  clauses: [clause["QUOTE-15"]],
  async run({ api, each, order, store, point, now }) {
    const body = quoteRequest(await store(), near(point));
    // The created_at of a delivery is a time on the target's clock.
    const { created_at } = (await api.createDelivery(await order())).body(201);
    const requested = instantIn(created_at, "created_at");
    await each(
      casesFrom("times of a quote", { "no time": () => ({}), ...timesFrom(now) }),
      async ([, time]) => {
        const { expires_at } = expectServiceable(await api.createQuote({ ...body, ...time() }));
        expectNoEarlier(expires_at, requested + 1, `expires_at of a quote requested at ${created_at}`);
      },
    );
  },
});

export const quotesChecks: readonly Check[] = [
  ownStore,
  requiredFields,
  times,
  createsNothing,
  unlocated,
  unlocatedReason,
  inTheCountry,
  nullIslandReason,
  reasonOrServiceable,
  allFields,
  sameDistance,
  ofTwoStores,
  sameRoad,
  expiry,
];
