/** Runs the command line in its own process, with only PATH and the given environment variables. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const cliPath = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));

/** The timeout of a hanging process. */
const LONGEST_MS = 560_000;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CliResult>;
  outputSoFar(): Pick<CliResult, "stdout" | "stderr">;
}

/** Starts a command in its own folder with only these environment variables. */
export function startCli(
  args: readonly string[],
  {
    env = {},
    cwd = mkdtempSync(join(tmpdir(), "conform-")),
    onOutput = () => {},
    longestMs = LONGEST_MS,
    commandPrefix = [],
  }: {
    env?: Readonly<Record<string, string>>;
    cwd?: string;
    /** Called with all standard output so far, each time it grows. */
    onOutput?: (stdout: string, child: ChildProcessWithoutNullStreams) => void;
    longestMs?: number;
    commandPrefix?: readonly string[];
  } = {},
): CliProcess {
  const [command = process.execPath, ...rest] = [...commandPrefix, process.execPath, "--", cliPath, ...args];
  const child = spawn(command, rest, {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...env },
    timeout: longestMs,
    killSignal: "SIGKILL",
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    onOutput(stdout, child);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<CliResult>((resolve) =>
    child.once("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended, outputSoFar: () => ({ stdout, stderr }) };
}

/** Runs a command to its end. */
export const runCli = (...start: Parameters<typeof startCli>): Promise<CliResult> => startCli(...start).ended;
