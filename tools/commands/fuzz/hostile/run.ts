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
  /** Peak memory; undefined if the system doesn't report it. */
  readonly peakBytes: number | undefined;
  readonly isLate: boolean;
  /** Both output streams and every written file, by name. */
  readonly texts: Readonly<Record<string, string>>;
}

interface RunOptions {
  /** The program of the command line. */
  readonly program: string;
  readonly args: readonly string[];
}

const LOOK_MS = 100;
/**
 * A run hangs if it sends and prints nothing for this long. Its longest legitimate wait is one rate limit
 * window, a minute. The whole run has no limit, because the number of such waits and the machine's load vary.
 */
const LONGEST_SILENCE_MS = 180_000;
/** A run that uses this much CPU time hangs. */
const LONGEST_COMPUTING_MS = 120_000;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** A process's peak memory, as Linux reports it. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** A process's CPU time, as Linux reports it. */
function computedMs(pid: number | undefined): number {
  try {
    // The program's name is in parentheses. User and system time are fields 14 and 15.
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user, system] = rest.split(" ").slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Certifies the target with the command line, as in a GitHub Actions job. */
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
