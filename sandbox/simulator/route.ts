/** The route of a courier from one point to another: a few straight streets, with a bend where they meet. */
import { bearingFrom, metresBetween, type Point } from "../../reference-server/domain/places.ts";
import { between, type Random } from "./random.ts";

export interface Position extends Point {
  /** Degrees clockwise from north. */
  heading: number;
}

/** Between two points at most this many streets, so that the route looks like one through a town. */
const corners = 3;

/** The corners of a route, both ends among them: along one street, round the corner, along the next. */
export function routeBetween(random: Random, from: Point, to: Point): Point[] {
  const route = [from];
  for (let corner = 1; corner <= corners; corner++) {
    const along = corner / corners;
    const last = route[route.length - 1] ?? from;
    const next = corner === corners ? to : bent(random, from, to, along);
    // Streets go one direction at a time.
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

/** Where one is after so many metres; at the end where the route isn't as long. */
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

/** A point some way off. */
export function pointNear(random: Random, { lat, lng }: Point): Point {
  const off = () => between(random, 0.003, 0.009) * (random() < 0.5 ? -1 : 1);
  return { lat: rounded(lat + off()), lng: rounded(lng + off()) };
}

function metres(from: Point, to: Point): number {
  return Math.round(metresBetween(from, to) * 10) / 10;
}

/** To about 10 cm. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
