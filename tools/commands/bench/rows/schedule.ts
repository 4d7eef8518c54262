/** How well a run fills the time in which it waits for a far target. */
import { MOST_IN_FLIGHT } from "../../../../suites/server/session/limits/in-flight.ts";
import { type CheckSpan, criticalPath, spansOf } from "../critical-path.ts";
import { type FarRun, runsFarAway } from "../far-run.ts";
import type { BenchRow, BenchSettings, Figure } from "../row.ts";
import { spreadOf } from "../spread.ts";

const LATENCY_MS = 100;
const FARTHER_MS = 300;
/** As many of the checks that took longest are named. */
const NAMED = 5;
/** Shorter ones on the way are counted: no one of them is worth cutting. */
const SHORT_MS = 500;

const secondsOf = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Each check of the path in its place, short ones as how many they are together. */
function inWords(path: readonly CheckSpan[]): string {
  const parts: string[] = [];
  let short: CheckSpan[] = [];
  const endShort = () => {
    const took = short.reduce((sum, { from, to }) => sum + to - from, 0);
    if (short.length > 0) parts.push(`${short.length} short ${secondsOf(took)}`);
    short = [];
  };
  for (const span of path) {
    if (span.to - span.from < SHORT_MS) {
      short.push(span);
      continue;
    }
    endShort();
    parts.push(`${span.id} ${secondsOf(span.to - span.from)}`);
  }
  endShort();
  return parts.join(" → ");
}

function longestOf({ report: { checks } }: FarRun): string {
  const longest = checks.toSorted((one, other) => other.duration_ms - one.duration_ms).slice(0, NAMED);
  return longest.map(({ id, duration_ms }) => `${id} ${secondsOf(duration_ms)}`).join(", ");
}

const pathOf = (runs: readonly FarRun[]) => {
  const [last] = runs.slice(-1);
  return last ? inWords(criticalPath(spansOf(last.archive))) : "";
};

/** What the requests take where as many as may be are always in flight, as a share of what the run took. */
const shareOf = ({ report: { run } }: FarRun) =>
  (run.requests * LATENCY_MS) / MOST_IN_FLIGHT / run.duration_ms;

const tookOf = (runs: readonly FarRun[]) => spreadOf(runs.map(({ report }) => report.run.duration_ms / 1000));

async function run(settings: BenchSettings): Promise<readonly Figure[]> {
  const runs = await runsFarAway(settings, { latencyMs: LATENCY_MS });
  const [last] = runs.slice(-1);
  return [
    {
      title: `run at ${LATENCY_MS} ms`,
      unit: "s",
      spread: tookOf(runs),
      target: { is: "at most", value: 30 },
      detail: `critical path: ${pathOf(runs)}; longest checks: ${last ? longestOf(last) : "none"}`,
    },
    {
      title: "share of the ideal",
      unit: "of it",
      spread: spreadOf(runs.map(shareOf)),
      target: { is: "at least", value: 0.7 },
      detail: `${last?.report.run.requests} requests × ${LATENCY_MS} ms ÷ ${MOST_IN_FLIGHT} in flight, by the time that the run took`,
    },
  ];
}

export const scheduleRow: BenchRow = {
  id: "schedule",
  how: `the command on a server in another process, behind a line of ${LATENCY_MS} ms to and fro`,
  run,
};

export const farRow: BenchRow = {
  id: "far",
  how: `the same behind a line of ${FARTHER_MS} ms`,
  async run(settings) {
    const runs = await runsFarAway(settings, { latencyMs: FARTHER_MS });
    return [
      {
        title: `run at ${FARTHER_MS} ms`,
        unit: "s",
        spread: tookOf(runs),
        target: { is: "at most", value: 80 },
        detail: `critical path: ${pathOf(runs)}`,
      },
    ];
  },
};

export const oneAddressRow: BenchRow = {
  id: "one-address",
  how: `the same behind a line of ${LATENCY_MS} ms whose requests all come from one address, as a far service sees them`,
  async run(settings) {
    const runs = await runsFarAway(settings, { latencyMs: LATENCY_MS, oneAddress: true });
    return [
      {
        title: `run at ${LATENCY_MS} ms from one address`,
        unit: "s",
        spread: tookOf(runs),
        target: { is: "at most", value: 45 },
        detail: `critical path: ${pathOf(runs)}`,
      },
    ];
  },
};
