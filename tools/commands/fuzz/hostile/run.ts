import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicNow } from "../../../../suites/core/clock.ts";

/** The result of a run of the suite against a hostile server, client or file. */
export interface HostileRun {
  readonly code: number | null;
  readonly durationMs: number;
  /** Peak memory, with that of child processes; undefined if the system doesn't report it. */
  readonly peakBytes: number | undefined;
  readonly hung: boolean;
  /** Both output streams and every written file, by name. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface RunningCommand {
  readonly folder: string;
  /** Resolves when the command has ended. */
  readonly ended: Promise<unknown>;
  /** Ends the command like Ctrl-C. */
  interrupt(): void;
}

interface RunOptions {
  readonly program: string;
  /** The command and its arguments. The working directory is the folder of {@link RunningCommand}. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Returns the number of actions of the hostile server or client so far. */
  readonly progress: () => number;
  /** The hostile client's actions while the command runs. */
  readonly meanwhile?: (running: RunningCommand) => Promise<void>;
}

const POLL_MS = 100;
/**
 * A run hangs if it sends, receives and prints nothing for this long. Its longest legitimate wait is one rate limit
 * window, a minute. The whole run has no limit, because the number of such waits and the machine's load vary.
 */
const LONGEST_SILENCE_MS = 180_000;
/** A run that uses this much CPU time hangs. */
const LONGEST_COMPUTING_MS = 120_000;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** A file of a process as Linux shows it; undefined once the process has ended. */
function processFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

/** A process and its living descendants. */
function processTreeOf(pid: number): readonly number[] {
  const children = processFile(pid, `task/${pid}/children`)?.trim().split(" ").filter(Boolean) ?? [];
  return [pid, ...children.flatMap((child) => processTreeOf(Number(child)))];
}

/** The sum of the peak memory of a process and its descendants in bytes; undefined if unknown. */
function peakBytesOf(pid: number | undefined): number | undefined {
  const peaks = (pid === undefined ? [] : processTreeOf(pid)).flatMap((one) => {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(processFile(one, "status") ?? "") ?? [];
    return kilobytes === undefined ? [] : [Number(kilobytes) * 1024];
  });
  return peaks.length === 0 ? undefined : peaks.reduce((sum, peak) => sum + peak);
}

function computedMs(pid: number | undefined): number {
  const stat = pid === undefined ? undefined : processFile(pid, "stat");
  // The program's name is in parentheses. User and system time are fields 14 and 15.
  const [user = 0, system = 0] = stat?.split(") ")[1]?.split(" ").slice(11, 13).map(Number) ?? [];
  return (user + system) * TICK_MS;
}

/** Runs a command of the suite, as in a GitHub Actions job. */
export async function runCommand(options: RunOptions): Promise<HostileRun> {
  const { program, args, environment = {}, progress: countActions, meanwhile } = options;
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  const started = monotonicNow();
  const child = spawn(process.execPath, ["--", program, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: join(folder, "job-summary.md"),
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      if (texts[name].length < MAX_OUTPUT) texts[name] += chunk.toString();
    });
  }
  let peakBytes = 0;
  let hung = false;
  let progress = 0;
  let progressedAt = started;
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakBytesOf(child.pid) ?? 0);
    const now = monotonicNow();
    const reached = countActions() + texts.stdout.length + texts.stderr.length;
    if (reached !== progress) progressedAt = now;
    progress = reached;
    const hangs = now - progressedAt > LONGEST_SILENCE_MS || computedMs(child.pid) > LONGEST_COMPUTING_MS;
    if (!hangs || hung) return;
    hung = true;
    child.kill("SIGKILL");
  }, POLL_MS);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const acted = meanwhile?.({ folder, ended, interrupt: () => void child.kill("SIGINT") });
  const code = await ended;
  await acted;
  clearInterval(look);
  try {
    return {
      code,
      durationMs: monotonicNow() - started,
      peakBytes: peakBytes || undefined,
      hung,
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
