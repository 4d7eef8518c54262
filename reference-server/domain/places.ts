/** Points on the globe: which of them count, and how far apart they are. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export interface Point {
  lat: number;
  lng: number;
}

export interface Country {
  /** Whether a delivery can go there at all: on the globe, not 0,0, within the country's borders. */
  contains(point: Point): boolean;
}

/** Turkey, by its real borders (specification, Endpoints: "0,0 and locations outside the country are ignored"). */
export const turkey: Country = {
  contains({ lat, lng }) {
    if (lat === 0 && lng === 0) return false;
    if (Math.abs(lat) > 90 || Math.abs(lng) > 180) return false;
    // The world's borders are loaded when the first point is asked for: a start needs none of them.
    const coder: typeof import("@rapideditor/country-coder") = require("@rapideditor/country-coder");
    return coder.iso1A2Code([lng, lat]) === "TR";
  },
};

export interface Distance {
  /** Whole metres as the crow flies. */
  straightM(from: Point, to: Point): number;
  /** Kilometres by road, two decimals, from the straight metres. */
  roadKm(straightM: number): number;
}

const EARTH_RADIUS_M = 6_378_137;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance in metres, by the haversine formula: it is exact for neighbours too. */
export function metresBetween(from: Point, to: Point): number {
  const [half, halfAcross] = [radians(to.lat - from.lat) / 2, radians(to.lng - from.lng) / 2];
  const across = Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(halfAcross) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(Math.sin(half) ** 2 + across)));
}

/** In which direction one sets out from one point to another: degrees clockwise from north. */
export function bearingFrom(from: Point, to: Point): number {
  const [fromLat, toLat, across] = [radians(from.lat), radians(to.lat), radians(to.lng - from.lng)];
  const east = Math.sin(across) * Math.cos(toLat);
  const north = Math.cos(fromLat) * Math.sin(toLat) - Math.sin(fromLat) * Math.cos(toLat) * Math.cos(across);
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

/** Roads in towns are about a third longer than the straight line. */
const detour = 1.3;

export const distance: Distance = {
  straightM: (from, to) => Math.round(metresBetween(from, to)),
  roadKm: (straightM) => Math.round((straightM * detour) / 10) / 100,
};

/** The point of two optional coordinates; null unless both are there. */
export function pointOf(place: { lat?: number | null; lng?: number | null }): Point | null {
  const { lat, lng } = place;
  return typeof lat === "number" && typeof lng === "number" ? { lat, lng } : null;
}
