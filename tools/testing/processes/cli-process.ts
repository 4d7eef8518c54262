/** The command line as a process of its own, for tests: as package.json starts it, with nothing in its environment. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const cliPath = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));

/** Ends what hangs. */
const LONGEST_MS = 560_000;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CliResult>;
  /** What it has written so far. */
  said(): Pick<CliResult, "stdout" | "stderr">;
}

/** Starts it in a folder of its own, with nothing but these variables set. */
export function startCli(
  args: readonly string[],
  {
    env = {},
    cwd = mkdtempSync(join(tmpdir(), "conform-")),
    hear = () => {},
    longestMs = LONGEST_MS,
    startedBy = [],
  }: {
    env?: Readonly<Record<string, string>>;
    cwd?: string;
    /** Told of all of standard output so far, as it grows. */
    hear?: (stdout: string, child: ChildProcessWithoutNullStreams) => void;
    /** After which it is ended, milliseconds. */
    longestMs?: number;
    /** The command that starts it, where it isn't started by itself. */
    startedBy?: readonly string[];
  } = {},
): CliProcess {
  const [command = process.execPath, ...rest] = [...startedBy, process.execPath, "--", cliPath, ...args];
  const child = spawn(command, rest, {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...env },
    timeout: longestMs,
    killSignal: "SIGKILL",
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    hear(stdout, child);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<CliResult>((resolve) =>
    child.once("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended, said: () => ({ stdout, stderr }) };
}

/** Runs it to its end. */
export const runCli = (...start: Parameters<typeof startCli>): Promise<CliResult> => startCli(...start).ended;
