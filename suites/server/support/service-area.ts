import type { Schemas } from "../../core/contract/document.ts";
import {
  PLACES_OF_THE_COUNTRY,
  type PlaceOfTheCountry,
  placesOfTheCountry,
} from "../../core/contract/places-of-the-country.ts";
import { expectThat } from "../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../core/grading/failures/failure.ts";
import type { Subject } from "../../core/grading/failures/mismatch.ts";
import { numberOf } from "../../core/json.ts";
import { described } from "../../core/text/shown-value.ts";
import type { Capabilities, StoreSettings } from "../capabilities.ts";
import type { ApiResponse, Body } from "../session/http/api-response.ts";
import { deviation, streetAddress } from "../session/sample-data/sample-data.ts";
import type { Point } from "../session/sample-data/settings.ts";
import type { LinkedStore } from "../session/stores/stores.ts";
import { isStraightLine, type Line, lineText } from "./distance.ts";
import { toTheMetre } from "./orders/orders.ts";
import { numberIn } from "./shown-values.ts";

/** Kilometres per degree of latitude. */
const KM_PER_DEGREE = 111.2;

/** The maximum deviation of a random point from a place's centre in degrees: five kilometres. */
const MAX_DEVIATION_DEGREES = 0.045;

const isNear = (one: number, other: number) => Math.abs(one - other) < 10;

/** The places in the country of a served point, each with a random point nearby. */
export const placesAllOver = (served: Point): readonly (readonly [PlaceOfTheCountry, Point])[] =>
  placesOfTheCountry
    // A target for another country doesn't serve these places.
    .filter(() => isNear(served.lat, 39) && isNear(served.lng, 35))
    .map((name) => {
      const { lat, lng } = PLACES_OF_THE_COUNTRY[name];
      return [
        name,
        {
          lat: toTheMetre(lat + MAX_DEVIATION_DEGREES * deviation()),
          lng: toTheMetre(lng + MAX_DEVIATION_DEGREES * deviation()),
        },
      ];
    });

/** A point straight north. Distances along a meridian hardly depend on the Earth model. */
export const north = (point: Point, km: number): Point => ({
  lat: point.lat + km / KM_PER_DEGREE,
  lng: point.lng,
});

/** Well inside {@link SERVICE_AREA}, but several times as far from the store as `near`. */
export const INSIDE_AREA_KM = 2;
/** The distance of a point far outside the area by any measure (OPEN-71: no check tests the edge). */
export const FAR_KM = 22;

/** An area of known size, with a price per kilometre that rounding doesn't hide. */
export const SERVICE_AREA = {
  status: "active",
  radius_m: 8_000,
  max_road_km: 12,
  couriers_on_shift: 3,
  price: { base: 40, per_km: 25, currency: "TRY", vat_included: false },
} as const satisfies StoreSettings;

const ONE_IS_WRONG = "and one of the two is wrong";

/**
 * Asserts that a quote shows the same value as the delivery that was created right after it (QUOTE-11). If only the
 * delivery has no value, or another distance than the straight line, the failure is about the delivery.
 * @param response the quote's, which a failure of the quote shows
 * @param line the line that both values measure, if they are distances
 * @param before what happened before the quote and matters for its value
 */
export function expectQuoted(
  what: Extract<Subject, object>,
  quoted: unknown,
  ofDelivery: unknown,
  { exchange }: ApiResponse<"createQuote">,
  { line, before }: { readonly line?: Line; readonly before?: string } = {},
): void {
  const isRight = (shown: unknown) =>
    line !== undefined && isStraightLine(numberOf(shown), line.from, line.to);
  const which =
    line !== undefined && isRight(quoted) !== isRight(ofDelivery)
      ? `which fits ${lineText(line)}`
      : ONE_IS_WRONG;
  const reason = before === undefined ? which : `${which}; ${before}`;
  if (quoted !== null && (ofDelivery === null || (isRight(quoted) && !isRight(ofDelivery)))) {
    const where = "of the delivery created immediately after a quote for the same place";
    const note = `the quote has the expected value, ${reason}`;
    expectThat({ ...what, where }, ofDelivery, { note }).is(quoted);
  }
  expectThat(what, quoted, {
    exchange,
    note: `the delivery created for the same place immediately afterwards has the expected value, ${reason}`,
  }).is(ofDelivery);
}

type StoreSetup = Pick<Capabilities["pairing"], "linkStore"> & Capabilities["store-settings"];

/** A new store with all settings that a quote depends on, and prices if they can be set. */
export async function newStoreWithArea({ linkStore, configureStore }: StoreSetup): Promise<LinkedStore> {
  const store = await linkStore();
  try {
    await configureStore(store.id, SERVICE_AREA);
  } catch (error) {
    if (!(error instanceof CheckSkipped)) throw error;
    const { price: _, ...unpriced } = SERVICE_AREA;
    await configureStore(store.id, unpriced);
  }
  return store;
}

/**
 * A new store with all settings that a fee depends on, because the defaults are unknown.
 * @throws CheckSkipped if no price can be set
 */
export async function newStoreWithPrices(
  { linkStore, configureStore }: StoreSetup,
  settings: StoreSettings = {},
): Promise<LinkedStore> {
  const store = await linkStore();
  await configureStore(store.id, { ...SERVICE_AREA, ...settings });
  return store;
}

/** The parts of an order from a store to a point, or to an address without coordinates. */
export const storeAndDropoff = (
  store: LinkedStore,
  point?: Point,
): Pick<Schemas["NewDelivery"], "store" | "dropoff"> => ({
  store: { external_store_id: store.external_store_id },
  dropoff: { text: streetAddress(), ...point },
});

/** A quote request with only the required fields. */
export const quoteRequest = (
  store: Pick<LinkedStore, "external_store_id">,
  point: Point,
): Schemas["QuoteRequest"] => ({
  store: { external_store_id: store.external_store_id },
  dropoff: { ...point },
});

/** The quote in a response. Its 2xx status is unspecified (OPEN-60). */
export function expectQuote(response: ApiResponse<"createQuote">): Body<"createQuote", 200> {
  const quote = response.expectSuccess().body(200);
  if (typeof quote.serviceable === "boolean") return quote;
  throw response.failure({
    subject: "serviceable",
    relation: "to be",
    expected: described("true or false"),
    actual: quote.serviceable,
  });
}

/** A fee for comparison. The amount may be text (OPEN-49), and other members are unspecified (OPEN-27). */
export const feeOf = ({ fee }: { readonly fee?: Schemas["FeeOrNull"] }) =>
  fee
    ? { amount: Number(fee.amount), currency: fee.currency ?? null, vat_included: fee.vat_included ?? null }
    : null;

/** The amount of a fee that must be present. */
export function amountOf({ fee }: { readonly fee?: Schemas["FeeOrNull"] }): number {
  expectThat("the fee", fee ?? null).isNot(null);
  return numberIn(fee?.amount, "fee.amount");
}
