import type { Point } from "../session/settings.ts";

/** The mean radius of the globe, in metres. */
const GLOBE_M = 6_371_000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The way as the crow flies on a round globe, in metres: within half a per cent of that on an ellipsoid (OPEN-52). */
export function straightLineM(from: Point, to: Point): number {
  const [north, east] = [radians(to.lat - from.lat), radians(to.lng - from.lng)];
  const haversine =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(east / 2) ** 2;
  return 2 * GLOBE_M * Math.asin(Math.sqrt(haversine));
}
