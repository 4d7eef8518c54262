/** A map of a courier's route, drawn from its points without map tiles. */
import type { components } from "../../../openapi/generated/courier-dispatch.ts";

export type Point = components["schemas"]["Point"];
interface Place {
  kind: keyof typeof shapes;
  label: string;
  at: Point;
}
type MaybePoint = { lat?: number | null; lng?: number | null } | null | undefined;

const width = 640;
const height = 400;
const margin = 56;

/** Metres per degree of latitude. */
const degree = 111_320;

/** The point of two optional coordinates; null unless both are present. */
export function pointOf(where: MaybePoint): Point | null {
  const { lat, lng } = where ?? {};
  return typeof lat === "number" && typeof lng === "number" ? { lat, lng } : null;
}

/** A list with a place for the map; empty for an unknown point. */
export function placesAt(kind: Place["kind"], label: string, where: MaybePoint): Place[] {
  const at = pointOf(where);
  return at === null ? [] : [{ kind, label, at }];
}

interface MapProps {
  places: Place[];
  trail: Point[];
  label: string;
}

export function CourierMap({ places, trail, label }: MapProps) {
  const points = [...places.map(({ at }) => at), ...trail];
  if (points.length === 0) return <p class="empty">{label}</p>;
  const { project, metresPerUnit } = projection(points);
  const marked = places.map((place) => ({ ...place, point: project(place.at) }));
  return (
    <svg class="map" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <rect class="map-ground" x={-width} width={3 * width} height={height} />
      <path class="map-grid" d={gridPath(metresPerUnit)} />
      {trail.length > 1 && (
        <polyline class="map-trail" points={trail.map((point) => project(point).join(",")).join(" ")} />
      )}
      {labelled(marked).map((place) => (
        <Marker key={place.kind} {...place} />
      ))}
      <Scale metresPerUnit={metresPerUnit} />
    </svg>
  );
}

function projection(points: Point[]) {
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
  const project = ({ lat, lng }: Point): [x: number, y: number] => [
    Math.round((width / 2 + ((lng - middle.lng) * degree * shrink) / metresPerUnit) * 10) / 10,
    Math.round((height / 2 - ((lat - middle.lat) * degree) / metresPerUnit) * 10) / 10,
  ];
  return { project, metresPerUnit };
}

/** A round number of metres that is about `units` wide. */
function roundLength(metresPerUnit: number, units: number): number {
  const about = metresPerUnit * units;
  const power = 10 ** Math.floor(Math.log10(about));
  return power * (about / power >= 5 ? 5 : about / power >= 2 ? 2 : 1);
}

function gridPath(metresPerUnit: number): string {
  const step = roundLength(metresPerUnit, 90) / metresPerUnit;
  const lines = [];
  // The map may be wider than its points.
  const [left, right] = [-width, 2 * width];
  const middle = (width / 2) % step;
  for (let x = middle - Math.floor((middle - left) / step) * step; x < right; x += step)
    lines.push(`M${x.toFixed(1)} 0V${height}`);
  for (let y = (height / 2) % step; y < height; y += step) lines.push(`M${left} ${y.toFixed(1)}H${right}`);
  return lines.join("");
}

function Scale({ metresPerUnit }: { metresPerUnit: number }) {
  const metres = roundLength(metresPerUnit, 120);
  const long = metres / metresPerUnit;
  return (
    <g class="map-scale">
      <path d={`M16 ${height - 20}v6h${long.toFixed(1)}v-6`} />
      <text x={20} y={height - 22}>
        {metres >= 1000 ? `${metres / 1000} km` : `${metres} m`}
      </text>
    </g>
  );
}

const shapes = {
  restaurant: "M-9-9h18v18h-18z",
  door: "M0-12L11-1V10H-11V-1z",
  courier: "M0-11A11 11 0 1 1 0 11A11 11 0 1 1 0-11z",
};

type Marked = Place & { point: [x: number, y: number] };
/** A text with the offset of its centre from its place. */
type Label = { text: string; dx: number; dy: number };
type Labelled = Omit<Marked, "label"> & { label: Label };
type Box = { left: number; right: number; top: number; bottom: number };

/** The distance from a symbol's centre to its edge. */
const reach = 13;
/** Longer names are cut. */
const longest = 24;

/** Places labels above, below or beside their places without overlaps. */
function labelled(places: Marked[]): Labelled[] {
  // Equals the font size in map.css, which is larger on small screens.
  const size = matchMedia("(max-width: 40rem)").matches ? 25 : 15;
  const taken = places.map(({ point: [x, y] }) => around(x, y, 2 * reach, 2 * reach));
  // The corner of the scale.
  taken.push({ left: 0, right: 200, top: height - 48, bottom: height });
  return places.map((place) => {
    const text = place.label.length > longest ? `${place.label.slice(0, longest - 1)}…` : place.label;
    // An upper bound for a text's width.
    const [wide, high] = [text.length * size * 0.62 + 6, size * 1.3];
    const aside = reach + 4 + wide / 2;
    const over = reach + 2 + high / 2;
    const spots: [dx: number, dy: number][] = [
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

const around = (x: number, y: number, wide: number, high: number): Box => ({
  left: x - wide / 2,
  right: x + wide / 2,
  top: y - high / 2,
  bottom: y + high / 2,
});

/** The box, moved into the map. */
function within({ left, right, top, bottom }: Box): Box {
  const across = Math.max(4 - left, 0) - Math.max(right - width + 4, 0);
  const down = Math.max(4 - top, 0) - Math.max(bottom - height + 4, 0);
  return { left: left + across, right: right + across, top: top + down, bottom: bottom + down };
}

const meets = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

function Marker({ kind, point: [x, y], label: { text, dx, dy } }: Labelled) {
  return (
    <g class={`map-place map-${kind}`} transform={`translate(${x} ${y})`}>
      <path d={shapes[kind]} />
      <text x={dx.toFixed(1)} y={dy.toFixed(1)} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}
