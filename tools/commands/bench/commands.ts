/** Runs commands of this project in their own processes, as users do. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Usage } from "./usage-at-exit.ts";

const cli = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));
const usageAtExit = new URL("usage-at-exit.ts", import.meta.url).href;

interface CommandRun {
  readonly seconds: number;
  /** Processor time on all cores. */
  readonly cpuSeconds: number;
  /** The peak memory. */
  readonly mostMegabytes: number;
  readonly stdout: string;
}

/** @throws if the exit code isn't accepted */
export async function runCommand(
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
