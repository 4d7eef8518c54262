/** Whole conformance runs, as users start them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type BenchSettings, type Figure, type Measurement, repeated } from "./measurement.ts";
import { withServer } from "./server.ts";
import type { Usage } from "./usage-at-exit.ts";

const cli = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));

const usageAtExit = new URL("usage-at-exit.ts", import.meta.url).href;

interface CommandRun {
  readonly seconds: number;
  /** The CPU time on all cores. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Small, because a run on a server with latency takes most of a minute. */
const MAX_RUNS = 3;
const LATENCY_MS = 100;

const repeatedRuns = <T>({ iterations }: BenchSettings, run: () => Promise<T>) =>
  repeated(Math.min(MAX_RUNS, iterations), run);

/**
 * Runs `conform` in its own process.
 * @throws if the exit code isn't 0, or 2, with which a run of selected checks ends
 */
async function conform(
  { folder, scale }: BenchSettings,
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandRun> {
  const usage = join(folder, "usage");
  const filter = scale < 1 ? ["--only", "health.*"] : [];
  const args = ["--import", usageAtExit, cli, "conform", "--seed", "1", "--quiet", ...flags, ...filter];
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment, BENCH_USAGE: usage },
  });
  const [stdout, [exitCode]]: [string, unknown[]] = await Promise.all([
    text(child.stdout),
    once(child, "close"),
  ]);
  const seconds = (performance.now() - begin) / 1000;
  if (exitCode !== 0 && exitCode !== 2)
    throw new Error(`conform ended with ${exitCode}:\n${stdout.slice(-2000)}`);
  const { cpuMs, peakBytes }: Usage = JSON.parse(readFileSync(usage, "utf8"));
  return { seconds, cpuSeconds: cpuMs / 1000, peakMegabytes: peakBytes / 1e6 };
}

export const conformMeasurement: Measurement = {
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
        detail: "embedded server; includes the start of suite and server",
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

export const remoteMeasurement: Measurement = {
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
