import { expectThat } from "../../core/grading/expectations/expect.ts";
import { numberOf } from "../../core/json.ts";
import type { Point } from "../session/sample-data/settings.ts";

/** The Earth's mean radius in metres. */
const GLOBE_M = 6_371_000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The straight distance on a sphere in metres, within half a per cent of that on the ellipsoid (OPEN-52). */
export function straightLineM(from: Point, to: Point): number {
  const [north, east] = [radians(to.lat - from.lat), radians(to.lng - from.lng)];
  const haversine =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(east / 2) ** 2;
  return 2 * GLOBE_M * Math.asin(Math.sqrt(haversine));
}

/** One per cent for the Earth's shape, and two metres for rounding (OPEN-52). */
const toleranceM = (metres: number) => metres / 100 + 2;

/** True if a `distance_m` can be the straight distance between two points. */
export const isStraightLine = (distance_m: number, from: Point, to: Point): boolean =>
  Math.abs(distance_m - straightLineM(from, to)) <= toleranceM(straightLineM(from, to));

/** The points between which a distance is measured. */
export interface Line {
  readonly from: Point;
  readonly to: Point;
}

/** A millionth of a degree is about 10 cm; more decimals are only a calculation's rounding. */
const degreesText = (degrees: number): string => String(Number(degrees.toFixed(6)));

export const pointText = ({ lat, lng }: Point): string => `${degreesText(lat)},${degreesText(lng)}`;

/** A distance in metres, or in kilometres if it is at least one: `22 km`. */
export const distanceText = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${Number((metres / 1000).toFixed(1))} km`;

/** `the 556 m from the restaurant at 41.0042,28.9784 to the drop-off at 41.0092,28.9784` */
export const lineText = ({ from, to }: Line): string =>
  `the ${Math.round(straightLineM(from, to))} m from the restaurant at ${pointText(from)} to the drop-off at ${pointText(to)}`;

interface LineDetail {
  /** The words after the field's name in a failure: `after a PATCH of dropoff`. */
  readonly where?: string;
  /** The restaurant's earlier locations. A failure says if the distance is from one of them. */
  readonly earlier?: readonly Point[];
  /** Further explanation of a failure. */
  readonly note?: string | undefined;
}

/**
 * Expects the straight distance from the restaurant to the drop-off (DLV-41, STORE-9).
 * @param distance_m the value in a response
 */
export function expectStraightLine(
  distance_m: unknown,
  restaurant: Point,
  dropoff: Point,
  { where, earlier = [], note: reason }: LineDetail = {},
): void {
  const metres = straightLineM(restaurant, dropoff);
  const field = where === undefined ? "distance_m" : `distance_m ${where}`;
  const what = `${field}, ${lineText({ from: restaurant, to: dropoff })}`;
  expectThat(what, distance_m).isNumber();
  const former = earlier.find((from) => isStraightLine(numberOf(distance_m), from, dropoff));
  const note = former ? `this fits the restaurant's earlier location ${pointText(former)}` : reason;
  expectThat(what, distance_m, { note }).isAtLeast(Math.floor(metres - toleranceM(metres)));
  expectThat(what, distance_m, { note }).isAtMost(Math.ceil(metres + toleranceM(metres)));
}
