import { spawn } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import type { Output } from "../output.ts";
import { VERSION } from "../package.ts";

const RUNS = 3;
const cli = fileURLToPath(new URL("../cli.ts", import.meta.url));

interface Timed {
  readonly seconds: number;
  readonly stdout: string;
}

/** Runs the command line as a process of its own, from start to end. */
function timed(args: readonly string[]): Promise<Timed> {
  const start = performance.now();
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  return new Promise((resolve) =>
    child.once("close", () => resolve({ seconds: (performance.now() - start) / 1000, stdout })),
  );
}

async function several(args: readonly string[]): Promise<readonly Timed[]> {
  const runs: Timed[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await timed(args));
  return runs.toSorted((a, b) => a.seconds - b.seconds);
}

const spread = (runs: readonly Timed[]) =>
  [runs[0], runs[Math.floor(runs.length / 2)], runs.at(-1)].map((run) =>
    (run?.seconds ?? 0).toFixed(2).padStart(8),
  );

const numberBefore = (text: string, word: string) =>
  Number(new RegExp(`(\\d+) ${word}`).exec(text)?.[1] ?? 0);

/** Prints whole-process times of the main jobs, and how they compare within this run. @returns the exit code */
export async function bench(output: Output): Promise<number> {
  const [cpu] = cpus();
  output.result(
    `courier-conform ${VERSION}, Node ${process.version}, ${cpus().length} × ${cpu?.model ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB; ${RUNS} runs of each, seconds of wall time`,
  );
  const listing = await several(["conform", "--list"]);
  const whole = await several(["conform", "--seed", "1", "--quiet"]);
  const single = await several(["conform", "--seed", "1", "--quiet", "--jobs", "1"]);
  output.result(`${"".padEnd(36)}${["min", "median", "max"].map((head) => head.padStart(8)).join("")}`);
  const row = (name: string, runs: readonly Timed[]) =>
    output.result(`${name.padEnd(36)}${spread(runs).join("")}`);
  row("start of the command (--list)", listing);
  row("full conformance run", whole);
  row("full conformance run, --jobs 1", single);
  const middle = whole[Math.floor(RUNS / 2)];
  const requests = numberBefore(middle?.stdout ?? "", "requests");
  const start = listing[Math.floor(RUNS / 2)]?.seconds ?? 0;
  const seconds = middle?.seconds ?? 1;
  output.result(
    `${requests} requests, ${Math.round(requests / seconds)} a second; the start is ${((100 * start) / seconds).toFixed(0)} % of a run; --jobs 1 takes ${((single[Math.floor(RUNS / 2)]?.seconds ?? 0) / seconds).toFixed(2)} times as long`,
  );
  return 0;
}
