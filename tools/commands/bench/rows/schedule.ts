/** How well a run fills the time in which it waits for a far target. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MOST_IN_FLIGHT } from "../../../../suites/server/session/in-flight.ts";
import type { Report } from "../../../report/model.ts";
import { runCommand } from "../commands.ts";
import { openLine } from "../line.ts";
import { startServer } from "../processes.ts";
import type { BenchRow, BenchSettings, Figure } from "../row.ts";
import { spreadOf } from "../spread.ts";

const LATENCY_MS = 100;
const MOST_ROUNDS = 3;
/** As many of the checks that took longest are named: the run waits for one of them. */
const NAMED = 5;
/** A part of the checks is INCOMPLETE. */
const accepted = [0, 2];

async function runFarAway({ folder, scale }: BenchSettings): Promise<Report> {
  const server = await startServer("reference", ":memory:");
  const line = await openLine({ port: Number(new URL(server.url).port), latencyMs: LATENCY_MS });
  try {
    const target = ["--url", line.url, "--control-url", `${line.url}/control`];
    const report = ["--report", join(folder, "report"), "--wire", "off"];
    const some = scale < 1 ? ["--only", "health.*"] : [];
    await runCommand(folder, ["conform", "--seed", "1", "--quiet", ...target, ...report, ...some], {
      environment: { CONFORM_CONTROL_TOKEN: server.controlToken },
      accepted,
    });
    return JSON.parse(readFileSync(join(folder, "report", "report.json"), "utf8"));
  } finally {
    await line.close();
    await server.close();
  }
}

function longestOf({ checks }: Report): string {
  const longest = checks.toSorted((one, other) => other.duration_ms - one.duration_ms).slice(0, NAMED);
  return longest.map(({ id, duration_ms }) => `${id} ${(duration_ms / 1000).toFixed(1)} s`).join(", ");
}

/** What the requests take where as many as may be are always in flight, as a share of what the run took. */
const shareOf = ({ run }: Report) => (run.requests * LATENCY_MS) / MOST_IN_FLIGHT / run.duration_ms;

async function run(settings: BenchSettings): Promise<readonly Figure[]> {
  const reports: Report[] = [];
  for (let round = 0; round < Math.min(MOST_ROUNDS, settings.rounds); round += 1)
    reports.push(await runFarAway(settings));
  const [last] = reports.slice(-1);
  return [
    {
      title: `run at ${LATENCY_MS} ms`,
      unit: "s",
      spread: spreadOf(reports.map(({ run: { duration_ms } }) => duration_ms / 1000)),
      target: { is: "at most", value: 30 },
      detail: last ? `longest checks: ${longestOf(last)}` : "",
    },
    {
      title: "share of the ideal",
      unit: "of it",
      spread: spreadOf(reports.map(shareOf)),
      target: { is: "at least", value: 0.7 },
      detail: `${last?.run.requests} requests × ${LATENCY_MS} ms ÷ ${MOST_IN_FLIGHT} in flight, by the time that the run took`,
    },
  ];
}

export const scheduleRow: BenchRow = {
  id: "schedule",
  how: `the command on a server in another process, behind a line of ${LATENCY_MS} ms to and fro`,
  run,
};
