/** A map of a courier's way, drawn from its points alone: no tiles, nothing from elsewhere. */
import { h } from "./dom.js";

/**
 * @import { components } from "../../../../openapi/generated/courier-dispatch.ts"
 * @typedef {components["schemas"]["Point"]} Point
 * @typedef {{ kind: keyof typeof shapes, label: string, at: Point }} Place
 */

const width = 640;
const height = 400;
const margin = 56;

/** Metres of a degree of latitude. */
const degree = 111_320;

/**
 * The point of two optional coordinates; null unless both are there.
 * @param {{ lat?: number | null, lng?: number | null } | null | undefined} where
 */
export function pointOf(where) {
  const { lat, lng } = where ?? {};
  return typeof lat === "number" && typeof lng === "number" ? { lat, lng } : null;
}

/**
 * A place for the map, as a list: it is empty where the point isn't known.
 * @param {Place["kind"]} kind
 * @param {string} label
 * @param {Parameters<typeof pointOf>[0]} where
 */
export function placesAt(kind, label, where) {
  const at = pointOf(where);
  return at === null ? [] : [{ kind, label, at }];
}

/** @param {{ places: Place[], trail: Point[], label: string }} what */
export function map({ places, trail, label }) {
  const points = [...places.map(({ at }) => at), ...trail];
  if (points.length === 0) return h("p", { class: "empty" }, label);
  const { project, metresPerUnit } = projection(points);
  return h(
    "svg",
    { class: "map", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    h("rect", { class: "map-ground", width, height, rx: 10 }),
    grid(metresPerUnit),
    trail.length > 1 &&
      h("polyline", { class: "map-trail", points: trail.map((point) => project(point).join(",")).join(" ") }),
    places.map((place) => marker(place, project(place.at))),
    scale(metresPerUnit),
  );
}

/** @param {Point[]} points */
function projection(points) {
  const lats = points.map(({ lat }) => lat);
  const lngs = points.map(({ lng }) => lng);
  const middle = {
    lat: (Math.min(...lats) + Math.max(...lats)) / 2,
    lng: (Math.min(...lngs) + Math.max(...lngs)) / 2,
  };
  const shrink = Math.cos((middle.lat * Math.PI) / 180);
  const across = (Math.max(...lngs) - Math.min(...lngs)) * degree * shrink;
  const along = (Math.max(...lats) - Math.min(...lats)) * degree;
  const least = 300;
  const metresPerUnit = Math.max(least / width, across / (width - 2 * margin), along / (height - 2 * margin));
  /** @type {(point: Point) => [x: number, y: number]} */
  const project = ({ lat, lng }) => [
    Math.round((width / 2 + ((lng - middle.lng) * degree * shrink) / metresPerUnit) * 10) / 10,
    Math.round((height / 2 - ((lat - middle.lat) * degree) / metresPerUnit) * 10) / 10,
  ];
  return { project, metresPerUnit };
}

/**
 * A round number of metres that is about `units` long.
 * @param {number} metresPerUnit
 * @param {number} units
 */
function roundLength(metresPerUnit, units) {
  const about = metresPerUnit * units;
  const power = 10 ** Math.floor(Math.log10(about));
  return power * (about / power >= 5 ? 5 : about / power >= 2 ? 2 : 1);
}

/** @param {number} metresPerUnit */
function grid(metresPerUnit) {
  const step = roundLength(metresPerUnit, 90) / metresPerUnit;
  const lines = [];
  for (let x = (width / 2) % step; x < width; x += step) lines.push(`M${x.toFixed(1)} 0V${height}`);
  for (let y = (height / 2) % step; y < height; y += step) lines.push(`M0 ${y.toFixed(1)}H${width}`);
  return h("path", { class: "map-grid", d: lines.join("") });
}

/** @param {number} metresPerUnit */
function scale(metresPerUnit) {
  const metres = roundLength(metresPerUnit, 120);
  const long = metres / metresPerUnit;
  return h(
    "g",
    { class: "map-scale" },
    h("path", { d: `M16 ${height - 20}v6h${long.toFixed(1)}v-6` }),
    h("text", { x: 20, y: height - 22 }, metres >= 1000 ? `${metres / 1000} km` : `${metres} m`),
  );
}

const shapes = {
  restaurant: "M-9-9h18v18h-18z",
  door: "M0-12L11-1V10H-11V-1z",
  courier: "M0-11A11 11 0 1 1 0 11A11 11 0 1 1 0-11z",
};

/**
 * Labels stand over their places, and a door's under it, so that a courier at the door can be read too.
 * @param {Place} place
 * @param {[x: number, y: number]} point
 */
function marker({ kind, label }, [x, y]) {
  const anchor = x > width * 0.8 ? "end" : x < width * 0.2 ? "start" : "middle";
  return h(
    "g",
    { class: `map-place map-${kind}`, transform: `translate(${x} ${y})` },
    h("path", { d: shapes[kind] }),
    h("text", { y: kind === "door" ? 32 : -19, "text-anchor": anchor }, label),
  );
}
