/** A run against a server in another process, over a simulated slow connection. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../report/model.ts";
import { runCommand } from "./commands.ts";
import type { Archive } from "./critical-path.ts";
import { type LineOptions, openLine } from "./line.ts";
import { startServer } from "./processes.ts";
import type { BenchSettings } from "./row.ts";

export interface FarRun {
  readonly report: Report;
  readonly archive: Archive;
}

/** A part of the checks is INCOMPLETE. */
const accepted = [0, 2];

/** The latency of the connection, and whether the server sees one client address or many. */
type Distance = Pick<LineOptions, "oneAddress"> & {
  /** The round-trip latency of a request. */
  readonly latencyMs: number;
};

async function runFarAway({ folder, scale }: BenchSettings, distance: Distance): Promise<FarRun> {
  const server = await startServer("reference", ":memory:");
  const line = await openLine({ port: Number(new URL(server.url).port), ...distance });
  try {
    const target = ["--url", line.url, "--control-url", `${line.url}/control`];
    const files = join(folder, "report");
    const some = scale < 1 ? ["--only", "health.*"] : [];
    const args = ["conform", "--seed", "1", "--quiet", ...target, "--report", files, ...some];
    await runCommand(folder, args, { environment: { CONFORM_CONTROL_TOKEN: server.controlToken }, accepted });
    const parsed = (name: string) => JSON.parse(readFileSync(join(files, name), "utf8"));
    return { report: parsed("report.json"), archive: parsed("exchanges.har") };
  } finally {
    await line.close();
    await server.close();
  }
}

/** A whole run takes long, so it is repeated less often than short measurements. */
export const MOST_RUNS = 3;

export async function runsFarAway(settings: BenchSettings, distance: Distance): Promise<readonly FarRun[]> {
  const runs: FarRun[] = [];
  for (let round = 0; round < Math.min(MOST_RUNS, settings.rounds); round += 1)
    runs.push(await runFarAway(settings, distance));
  return runs;
}
