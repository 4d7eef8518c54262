/** A courier's route between two points: a few straight streets with corners. */
import { bearingFrom, metresBetween, type Point } from "../../reference-server/domain/places.ts";
import { between, type Random } from "./random.ts";

export interface Position extends Point {
  /** Degrees clockwise from north. */
  heading: number;
}

/** The number of corners. With corners, a route looks like a route through a town. */
const corners = 3;

/** The points of a route, including both ends and all corners. */
export function routeBetween(random: Random, from: Point, to: Point): Point[] {
  const route = [from];
  for (let corner = 1; corner <= corners; corner++) {
    const along = corner / corners;
    const last = route[route.length - 1] ?? from;
    const next = corner === corners ? to : bent(random, from, to, along);
    // Streets run north-south or east-west.
    route.push({ lat: last.lat, lng: next.lng }, next);
  }
  return route.filter((point, index) => index === 0 || metres(route[index - 1] ?? point, point) > 0);
}

function bent(random: Random, from: Point, to: Point, along: number): Point {
  const drift = () => between(random, -0.08, 0.08);
  return {
    lat: from.lat + (to.lat - from.lat) * (along + drift()),
    lng: from.lng + (to.lng - from.lng) * (along + drift()),
  };
}

export function lengthOf(route: readonly Point[]): number {
  return route.slice(1).reduce((sum, point, index) => sum + metres(route[index] ?? point, point), 0);
}

/** The position after this many metres; the end if the route is shorter. */
export function positionAfter(route: readonly Point[], walked: number): Position {
  let left = walked;
  let heading = 0;
  for (const [index, to] of route.slice(1).entries()) {
    const from = route[index] ?? to;
    const length = metres(from, to);
    heading = Math.round(bearingFrom(from, to)) % 360;
    if (left < length) {
      const share = left / length;
      return {
        lat: rounded(from.lat + (to.lat - from.lat) * share),
        lng: rounded(from.lng + (to.lng - from.lng) * share),
        heading,
      };
    }
    left -= length;
  }
  const end = route[route.length - 1] ?? { lat: 0, lng: 0 };
  return { lat: rounded(end.lat), lng: rounded(end.lng), heading };
}

/** A random point near this point. */
export function pointNear(random: Random, { lat, lng }: Point): Point {
  const off = () => between(random, 0.003, 0.009) * (random() < 0.5 ? -1 : 1);
  return { lat: rounded(lat + off()), lng: rounded(lng + off()) };
}

function metres(from: Point, to: Point): number {
  return Math.round(metresBetween(from, to) * 10) / 10;
}

/** Rounded to about 10 cm. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
