/** Whole conformance runs, as users start them. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchRow, type BenchSettings, type Figure, repeated } from "./row.ts";
import { withServer } from "./server.ts";
import type { Usage } from "./usage-at-exit.ts";

const cli = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));

const usageAtExit = new URL("usage-at-exit.ts", import.meta.url).href;

interface CommandRun {
  readonly seconds: number;
  /** The CPU time on all cores. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly stdout: string;
}

/** Runs a command of this project in its own process. @throws if the exit code isn't in `accepted` */
async function runCommand(
  folder: string,
  args: readonly string[],
  { environment = {}, accepted = [0] }: { environment?: Record<string, string>; accepted?: number[] } = {},
): Promise<CommandRun> {
  const usage = join(folder, "usage");
  const begin = performance.now();
  const child = spawn(process.execPath, ["--import", usageAtExit, cli, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment, BENCH_USAGE: usage },
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const seconds = (performance.now() - begin) / 1000;
  if (code === null || !accepted.includes(code))
    throw new Error(`${args[0]} ended with ${code}:\n${stdout.slice(-2000)}`);
  const { cpuMs, peakBytes }: Usage = JSON.parse(readFileSync(usage, "utf8"));
  return { seconds, cpuSeconds: cpuMs / 1000, peakMegabytes: peakBytes / 1e6, stdout };
}

/** Small, because a run on a server with latency takes most of a minute. */
const MAX_RUNS = 3;
const LATENCY_MS = 100;

const repeatedRuns = <T>({ iterations }: BenchSettings, run: () => Promise<T>) =>
  repeated(Math.min(MAX_RUNS, iterations), run);

/** Runs `conform`, which exits with 2 if only some checks are selected. */
const conform = (
  { folder, scale }: BenchSettings,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) => {
  const filter = scale < 1 ? ["--only", "health.*"] : [];
  return runCommand(folder, ["conform", "--seed", "1", "--quiet", ...args, ...filter], {
    environment,
    accepted: [0, 2],
  });
};

export const conformRow: BenchRow = {
  id: "conform",
  async run(settings): Promise<readonly Figure[]> {
    const reportFlags = ["--report", join(settings.folder, "report")];
    const plainRuns = await repeatedRuns(settings, () => conform(settings, []));
    const reportRuns = await repeatedRuns(settings, () => conform(settings, reportFlags));
    return [
      {
        title: "full conformance run",
        unit: "s",
        values: plainRuns.map(({ seconds }) => seconds),
        target: ["at most", 5],
        detail: "plainRuns server; includes the start of suite and server",
      },
      {
        title: "CPU time of a full run",
        unit: "s",
        values: plainRuns.map(({ cpuSeconds }) => cpuSeconds),
        target: ["at most", 10],
        detail: "suite and server, on all cores",
      },
      {
        title: "memory of a full run",
        unit: "MB",
        values: reportRuns.map(({ peakMegabytes }) => peakMegabytes),
        target: ["at most", 300],
        detail: "peak resident memory, with --report, which keeps all exchanges",
      },
    ];
  },
};

export const remoteRow: BenchRow = {
  id: "remote",
  run: (settings) =>
    withServer({ kind: "reference", database: ":memory:", latencyMs: LATENCY_MS }, async (server) => {
      const args = ["--url", server.url, "--control-url", server.controlUrl];
      const environment = { CONFORM_CONTROL_TOKEN: server.controlToken };
      const measured = await repeatedRuns(settings, () => conform(settings, args, environment));
      return [
        {
          title: `full run, ${LATENCY_MS} ms latency`,
          unit: "s",
          values: measured.map(({ seconds }) => seconds),
          target: ["at most", 45],
          detail: "the server sees one client address, as a remote service does",
        },
      ];
    }),
};
