/** Geographic points: their validity, and distances between them. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export interface Point {
  lat: number;
  lng: number;
}

export interface Country {
  /** True if deliveries can go there: a valid point within the country's borders, not 0,0. */
  contains(point: Point): boolean;
}

/**
 * Turkey with its borders (specification, Endpoints: "0,0 and locations outside the country are ignored").
 */
export const turkey: Country = {
  contains({ lat, lng }) {
    if (lat === 0 && lng === 0) return false;
    if (Math.abs(lat) > 90 || Math.abs(lng) > 180) return false;
    // The library is loaded at the first point, to keep the start fast.
    const coder: typeof import("@rapideditor/country-coder") = require("@rapideditor/country-coder");
    return coder.iso1A2Code([lng, lat]) === "TR";
  },
};

export interface Distance {
  /** The straight distance in whole metres. */
  straightM(from: Point, to: Point): number;
  /** The road distance in kilometres with two decimals, from the straight distance. */
  roadKm(straightM: number): number;
}

const EARTH_RADIUS_M = 6_378_137;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The great-circle distance in metres, by the haversine formula, which is also exact for short distances. */
export function metresBetween(from: Point, to: Point): number {
  const [half, halfAcross] = [radians(to.lat - from.lat) / 2, radians(to.lng - from.lng) / 2];
  const across = Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(halfAcross) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(Math.sin(half) ** 2 + across)));
}

/** The initial bearing from one point to another in degrees clockwise from north. */
export function bearingFrom(from: Point, to: Point): number {
  const [fromLat, toLat, across] = [radians(from.lat), radians(to.lat), radians(to.lng - from.lng)];
  const east = Math.sin(across) * Math.cos(toLat);
  const north = Math.cos(fromLat) * Math.sin(toLat) - Math.sin(fromLat) * Math.cos(toLat) * Math.cos(across);
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

/** Roads in towns are about a third longer than the straight distance. */
const detour = 1.3;

export const distance: Distance = {
  straightM: (from, to) => Math.round(metresBetween(from, to)),
  roadKm: (straightM) => Math.round((straightM * detour) / 10) / 100,
};

/** The point of two optional coordinates; null unless both are present. */
export function pointOf(place: { lat?: number | null; lng?: number | null }): Point | null {
  const { lat, lng } = place;
  return typeof lat === "number" && typeof lng === "number" ? { lat, lng } : null;
}
