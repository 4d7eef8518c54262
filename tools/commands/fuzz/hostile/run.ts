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
}

const LOOK_MS = 100;
/**
 * A run that sends and says nothing for so long hangs. Its longest wait is for a limit of a minute to begin anew. The
 * time of the whole run says nothing: it is a matter of how many such waits there are, and of what else the machine does.
 */
const LONGEST_SILENCE_MS = 180_000;
/** A run that computes for so long hangs, however busy it looks. */
const LONGEST_COMPUTING_MS = 120_000;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;
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

/** The processor time of a process, as Linux tells it. */
function computedMs(pid: number | undefined): number {
  try {
    // Behind the program's name in parentheses; user and system time are the 14th and 15th field.
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user, system] = rest.split(" ").slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Certifies the target by the command line, as a job on GitHub does. */
export async function runOnTarget(target: HostileTarget, options: RunOptions): Promise<HostileRun> {
  const { program, args } = options;
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
  let progress = 0;
  let progressedAt = started;
  const look = setInterval(() => {
    peakBytes = peakOf(child.pid) ?? peakBytes;
    const now = monotonicNow();
    const reached = target.asked() + texts.stdout.length + texts.stderr.length;
    if (reached !== progress) progressedAt = now;
    progress = reached;
    const hangs = now - progressedAt > LONGEST_SILENCE_MS || computedMs(child.pid) > LONGEST_COMPUTING_MS;
    if (!hangs || isLate) return;
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
