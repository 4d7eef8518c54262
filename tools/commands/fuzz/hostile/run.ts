import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicNow } from "../../../../suites/core/clock.ts";
import type { HostileTarget } from "./target.ts";

/** The result of a run of the suite on a hostile target. */
export interface HostileRun {
  readonly code: number | null;
  readonly durationMs: number;
  /** The most memory that the process had; undefined where the system doesn't tell. */
  readonly peakBytes: number | undefined;
  readonly isLate: boolean;
  /** By name: both streams, and every file that was written. */
  readonly texts: Readonly<Record<string, string>>;
}

interface RunOptions {
  /** The command line's own program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly deadlineMs: number;
}

const LOOK_MS = 100;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** The peak of a process's memory, as Linux tells it. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Certifies the target by the command line, as a job on GitHub does. */
export async function runOnTarget(target: HostileTarget, options: RunOptions): Promise<HostileRun> {
  const { program, args, deadlineMs } = options;
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  const report = join(folder, "report");
  const started = monotonicNow();
  const address = ["--url", target.url, "--control-url", `${target.url}/control`];
  const child = spawn(process.execPath, [program, "conform", ...address, "--report", report, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      CONFORM_CONTROL_TOKEN: target.controlToken,
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: join(folder, "job-summary.md"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      if (texts[name].length < MAX_OUTPUT) texts[name] += chunk.toString();
    });
  }
  let peakBytes: number | undefined;
  let isLate = false;
  const look = setInterval(() => {
    peakBytes = peakOf(child.pid) ?? peakBytes;
    if (monotonicNow() - started < deadlineMs || isLate) return;
    isLate = true;
    child.kill("SIGKILL");
  }, LOOK_MS);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(look);
  try {
    return {
      code,
      durationMs: monotonicNow() - started,
      peakBytes,
      isLate,
      texts: { ...texts, ...filesIn(folder) },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")]),
  );
