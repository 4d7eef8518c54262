/** Whole conformance runs, as users start them. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchRow, type BenchSettings, type Figure, repeated } from "./row.ts";
import { withServer } from "./server.ts";
import type { Usage } from "./usage-at-exit.ts";

/** Runs commands of this project in their own processes, as users do. */
const cli = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));

const usageAtExit = new URL("usage-at-exit.ts", import.meta.url).href;

interface CommandRun {
  readonly seconds: number;
  /** CPU time on all cores. */
  readonly cpuSeconds: number;
  /** The peak memory. */
  readonly mostMegabytes: number;
  readonly stdout: string;
}

/** @throws if the exit code isn't accepted */
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
  const { cpuMs, mostBytes }: Usage = JSON.parse(readFileSync(usage, "utf8"));
  return { seconds, cpuSeconds: cpuMs / 1000, mostMegabytes: mostBytes / 1e6, stdout };
}

/** Each run takes minutes. */
const MAX_RUNS = 3;
const LATENCY_MS = 100;

const runs = <T>({ iterations }: BenchSettings, run: () => Promise<T>) =>
  repeated(Math.min(MAX_RUNS, iterations), run);

/** Runs `conform`, which exits with 2 if only some checks are selected. */
const conform = (
  { folder, scale }: BenchSettings,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) => {
  const some = scale < 1 ? ["--only", "health.*"] : [];
  return runCommand(folder, ["conform", "--seed", "1", "--quiet", ...args, ...some], {
    environment,
    accepted: [0, 2],
  });
};

export const conformRow: BenchRow = {
  id: "conform",
  async run(settings): Promise<readonly Figure[]> {
    const kept = ["--report", join(settings.folder, "report")];
    const embedded = await runs(settings, () => conform(settings, []));
    const recorded = await runs(settings, () => conform(settings, kept));
    return [
      {
        title: "full conformance run",
        unit: "s",
        values: embedded.map(({ seconds }) => seconds),
        target: ["at most", 5],
        detail: "the command with the embedded server, start included",
      },
      {
        title: "its processor time",
        unit: "s",
        values: embedded.map(({ cpuSeconds }) => cpuSeconds),
        target: ["at most", 10],
        detail: "on all cores, of suite and server",
      },
      {
        title: "memory of a run",
        unit: "MB",
        values: recorded.map(({ mostMegabytes }) => mostMegabytes),
        target: ["at most", 300],
        detail: "peak resident memory, with the exchanges of all checks kept for the report",
      },
    ];
  },
};

export const farRow: BenchRow = {
  id: "remote",
  run: (settings) =>
    withServer({ kind: "reference", database: ":memory:", latencyMs: LATENCY_MS }, async (server) => {
      const args = ["--url", server.url, "--control-url", server.controlUrl];
      const environment = { CONFORM_CONTROL_TOKEN: server.controlToken };
      const measured = await runs(settings, () => conform(settings, args, environment));
      return [
        {
          title: `run at ${LATENCY_MS} ms`,
          unit: "s",
          values: measured.map(({ seconds }) => seconds),
          target: ["at most", 45],
          detail: "the server sees one client address, as a remote service does",
        },
      ];
    }),
};
