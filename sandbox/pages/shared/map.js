/** A map of a courier's way, drawn from its points alone: no tiles, nothing from elsewhere. */
import { h } from "./dom.js";

/**
 * @import { components } from "../../../openapi/generated/courier-dispatch.ts"
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
    h("rect", { class: "map-ground", x: -width, width: 3 * width, height }),
    grid(metresPerUnit),
    trail.length > 1 &&
      h("polyline", { class: "map-trail", points: trail.map((point) => project(point).join(",")).join(" ") }),
    labelled(places.map((place) => ({ ...place, point: project(place.at) }))).map(marker),
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
  // A map that is wider than its points need is a map all the same.
  const [left, right] = [-width, 2 * width];
  const middle = (width / 2) % step;
  for (let x = middle - Math.floor((middle - left) / step) * step; x < right; x += step)
    lines.push(`M${x.toFixed(1)} 0V${height}`);
  for (let y = (height / 2) % step; y < height; y += step) lines.push(`M${left} ${y.toFixed(1)}H${right}`);
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
 * @typedef {Place & { point: [x: number, y: number] }} Marked
 * @typedef {{ text: string, dx: number, dy: number }} Label What is written, and how far from its place its middle is.
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box
 */

/** From the middle of a place's sign to its edge. */
const reach = 13;
/** More of a name isn't written. */
const longest = 24;

/**
 * Labels where none covers another, nor a place: over its own, under it, or beside.
 * @param {Marked[]} places
 * @returns {(Omit<Marked, "label"> & { label: Label })[]}
 */
function labelled(places) {
  // As in map.css, where letters of a small map are larger.
  const size = matchMedia("(max-width: 40rem)").matches ? 25 : 15;
  const taken = places.map(({ point: [x, y] }) => around(x, y, 2 * reach, 2 * reach));
  // The scale stands in this corner.
  taken.push({ left: 0, right: 200, top: height - 48, bottom: height });
  return places.map((place) => {
    const text = place.label.length > longest ? `${place.label.slice(0, longest - 1)}…` : place.label;
    // Letters are somewhat narrower than high; on the safe side.
    const [wide, high] = [text.length * size * 0.62 + 6, size * 1.3];
    const aside = reach + 4 + wide / 2;
    const over = reach + 2 + high / 2;
    /** @type {[dx: number, dy: number][]} */
    const spots = [
      [0, -over],
      [0, over],
      [aside, 0],
      [-aside, 0],
      [aside, -over],
      [-aside, -over],
      [aside, over],
      [-aside, over],
      [0, -over - high],
      [0, over + high],
    ];
    const [x, y] = place.point;
    const boxes = spots.map(([dx, dy]) => within(around(x + dx, y + dy, wide, high)));
    const free = boxes.find((box) => !taken.some((other) => meets(box, other)));
    const box = free ?? boxes[0] ?? around(x, y, wide, high);
    taken.push(box);
    const label = {
      text,
      dx: (box.left + box.right) / 2 - x,
      dy: (box.top + box.bottom) / 2 - y + size * 0.35,
    };
    return { ...place, label };
  });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 * @param {number} high
 * @returns {Box}
 */
const around = (x, y, wide, high) => ({
  left: x - wide / 2,
  right: x + wide / 2,
  top: y - high / 2,
  bottom: y + high / 2,
});

/**
 * The box, moved to where the map is.
 * @param {Box} box
 * @returns {Box}
 */
function within({ left, right, top, bottom }) {
  const across = Math.max(4 - left, 0) - Math.max(right - width + 4, 0);
  const down = Math.max(4 - top, 0) - Math.max(bottom - height + 4, 0);
  return { left: left + across, right: right + across, top: top + down, bottom: bottom + down };
}

/**
 * @param {Box} one
 * @param {Box} other
 */
const meets = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** @param {Omit<Marked, "label"> & { label: Label }} place */
function marker({ kind, point: [x, y], label: { text, dx, dy } }) {
  return h(
    "g",
    { class: `map-place map-${kind}`, transform: `translate(${x} ${y})` },
    h("path", { d: shapes[kind] }),
    h("text", { x: dx.toFixed(1), y: dy.toFixed(1), "text-anchor": "middle" }, text),
  );
}
