import type { TimelineTrack } from "../../../suites/core/grading/outcome.ts";
import { type Content, html, type Markup } from "../template.ts";

/** A time such as `1:02:03`. */
function clockLabel(seconds: number): string {
  const whole = Math.abs(Math.round(seconds));
  const two = (part: number) => String(part).padStart(2, "0");
  const clock = `${Math.floor(whole / 3600)}:${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  return seconds < 0 ? `−${clock}` : clock;
}

const WIDTH = 760;
const LEFT = 20;
const RIGHT = 30;
const AXIS_Y = 78;
const BAND_Y = 38;
const BAND_HEIGHT = 26;
const HEIGHT = 104;

/** The times with a mark on the axis, in seconds. */
const MARKS = [
  [0, "0"],
  [5, "5 s"],
  [60, "1 min"],
  [300, "5 min"],
  [1_800, "30 min"],
  [7_200, "2 h"],
  [18_000, "5 h"],
  [36_000, "10 h"],
  [86_400, "1 d"],
  [432_000, "5 d"],
] as const;

type Band = TimelineTrack["expected"][number];

interface Row {
  readonly number: number;
  readonly came: number | undefined;
  readonly at: string | undefined;
  readonly band: Band | undefined;
}

const casesFrom = ({ attempts, expected }: TimelineTrack): readonly Row[] =>
  Array.from({ length: Math.max(attempts.length, expected.length) }, (_, index) => ({
    number: index + 1,
    came: attempts[index]?.after_s,
    at: attempts[index]?.at,
    band: expected[index],
  }));

function verdictOf({ came, band }: Row): "in time" | "too early" | "too late" | "unexpected" | "not seen" {
  if (came === undefined) return "not seen";
  if (!band) return "unexpected";
  if (came < band.earliest_s) return "too early";
  return came > band.latest_s ? "too late" : "in time";
}

/** Returns a time's x coordinate. The axis is logarithmic: the first attempts are seconds apart, the last attempts hours. */
function scale(track: TimelineTrack): (seconds: number) => number {
  const last = Math.max(
    60,
    ...track.expected.map(({ latest_s }) => latest_s),
    ...track.attempts.map(({ after_s }) => after_s),
  );
  const far = Math.log10(1 + last);
  const width = WIDTH - LEFT - RIGHT;
  return (seconds) => Number((LEFT + (Math.log10(1 + Math.max(0, seconds)) / far) * width).toFixed(1));
}

function drawing(track: TimelineTrack, rows: readonly Row[]): Markup {
  const x = scale(track);
  const end = WIDTH - RIGHT;
  const bands = rows.map(({ band }) => {
    if (!band) return undefined;
    const from = x(band.earliest_s);
    const width = Math.max(4, Number((x(band.latest_s) - from).toFixed(1)));
    return html`<rect class="band" x="${from}" y="${BAND_Y}" width="${width}" height="${BAND_HEIGHT}" rx="3"/>`;
  });
  const middle = BAND_Y + BAND_HEIGHT / 2;
  const attempts = rows.map((row) => {
    if (row.came === undefined) return undefined;
    const at = x(row.came);
    const label = html`<text x="${at}" y="26" text-anchor="middle">${row.number}</text>`;
    return verdictOf(row) === "in time"
      ? html`<g class="came"><circle cx="${at}" cy="${middle}" r="5"/>${label}</g>`
      : html`<g class="off-schedule"><path d="M${at - 6} ${middle - 6}l12 12m0-12l-12 12"/>${label}</g>`;
  });
  const marks = MARKS.filter(([seconds]) => x(seconds) <= end).map(
    ([seconds, name]) =>
      html`<line x1="${x(seconds)}" x2="${x(seconds)}" y1="${AXIS_Y}" y2="${AXIS_Y + 5}"/><text x="${x(seconds)}" y="${AXIS_Y + 20}" text-anchor="middle">${name}</text>`,
  );
  const summary = `${track.attempts.length} attempts, ${track.expected.length} expected; the table below has their times`;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Time line of ${track.name}: ${summary}"><g class="axis"><line x1="${LEFT}" x2="${end}" y1="${AXIS_Y}" y2="${AXIS_Y}"/>${marks}</g>${bands}${attempts}</svg>`;
}

const line = (row: Row): Markup => {
  const { band } = row;
  const due =
    band && band.latest_s > band.earliest_s
      ? `${clockLabel(band.earliest_s)} to ${clockLabel(band.latest_s)}`
      : "";
  const judgement = verdictOf(row);
  return html`<tr class="${judgement === "in time" ? "came" : "off-schedule"}"><th scope="row">${row.number}</th><td>${due}</td><td>${row.came === undefined ? "–" : clockLabel(row.came)}</td><td>${row.at ?? "–"}</td><td>${row.number === 1 ? "the start" : judgement}</td></tr>`;
};

/** The retry schedule of an event, with the expected and actual times of its delivery attempts. */
export function timeline(tracks: readonly TimelineTrack[] | undefined): Content {
  return tracks?.map((track) => {
    const rows = casesFrom(track);
    return html`<figure class="timeline">
<figcaption>Attempts of ${track.name}: expected times (bands) and actual times (dots, or crosses outside the bands). Time since the first, on a logarithmic scale.</figcaption>
<div class="drawing" tabindex="0" role="group" aria-label="Time line">${drawing(track, rows)}</div>
<details><summary>As a table</summary><div class="wide"><table><thead><tr><th scope="col">Attempt</th><th scope="col">Expected, after the first</th><th scope="col">Arrived after</th><th scope="col">At</th><th scope="col">Result</th></tr></thead><tbody>${rows.map(line)}</tbody></table></div></details>
</figure>`;
  });
}
