import type { BodyReader } from "./request-body.ts";
import type { Measure, Point, Store } from "./state.ts";

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance in whole metres (haversine formula). */
function straightLine(from: Point, to: Point): number {
  const half = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2;
  const chord =
    half(from.lat, to.lat) + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * half(from.lng, to.lng);
  return Math.round(2 * 6_371_000 * Math.asin(Math.sqrt(Math.min(1, chord))));
}

/** A bounding box of Turkey, which excludes 0,0. */
export const inCountry = ({ lat, lng }: Point) => lat >= 35.8 && lat <= 42.2 && lng >= 25.6 && lng <= 44.9;

export function readCoordinates(reader: BodyReader): { lat: number | undefined; lng: number | undefined } {
  return { lat: reader.number("lat"), lng: reader.number("lng") };
}

export const pointOf = ({ lat, lng }: { lat: number | undefined; lng: number | undefined }) =>
  lat === undefined || lng === undefined ? undefined : { lat, lng };

const detour = 1.41;

/** The longest allowed road distance, from the company's setting or its radius. */
export const longestRoad = (store: Store) =>
  Math.round(Math.min(store.longestRoad, (store.radius / 1000) * detour) * 1000) / 1000;

/** Distance and fee from a restaurant; undefined if it has no location. */
export function measure(store: Store, to: Point): Measure | undefined {
  if (store.point === undefined) return undefined;
  const distance = straightLine(store.point, to);
  const road = Math.round(distance * detour) / 1000;
  const { price } = store;
  const fee = price && {
    amount: (price.base + price.per_km * road).toFixed(2),
    currency: price.currency,
    vat_included: price.vat_included,
  };
  return { distance, road, fee };
}

export const isServed = (store: Store, measured: Measure | undefined) =>
  measured === undefined || measured.road <= longestRoad(store);

/** International notation with spaces (ITU-T E.123). A number without a country code is Turkish. */
export function internationalPhone(text: string): string {
  const digits = text.replaceAll(/\D/g, "");
  if (text.trim().startsWith("+") && !digits.startsWith("90")) return `+${digits}`;
  const national = digits.replace(/^(?:00)?90(?=\d{10}$)|^0/, "");
  const grouped = /^(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(national);
  return `+90 ${grouped === null ? national : grouped.slice(1).join(" ")}`;
}
