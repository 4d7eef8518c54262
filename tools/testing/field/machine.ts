/** Simulates a busy machine for tests: keeps a core busy, or suspends a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FaultyServerName, FieldServer, FieldServerName } from "./servers.ts";

/** The words before a command that pin the command to a core; empty without a core. */
export const onCore = (core: number | undefined): readonly string[] =>
  core === undefined ? [] : ["taskset", "--cpu-list", String(core)];

/** Starts Node with an IPC channel, which closes when the parent exits. */
function startNode(core: number | undefined, args: readonly string[]): ChildProcess {
  const [command = process.execPath, ...rest] = [...onCore(core), process.execPath, ...args];
  return spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

type ServerAddress = Pick<FieldServer, "port" | "control">;

/** A server that a field test certifies, in its own process. */
export interface ServerProcess extends FieldServer {
  /** Resolves just before the next retry of a webhook, or after this number of milliseconds. */
  nextRetry(withinMs: number): Promise<void>;
}

export async function startServerProcess(
  name: FieldServerName | FaultyServerName,
  core?: number,
): Promise<ServerProcess> {
  const child = startNode(core, [fileURLToPath(new URL("server-process.ts", import.meta.url)), name]);
  const { port, control } = await new Promise<ServerAddress>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server's process ended with ${code}`)));
    child.once("message", (place: ServerAddress) => resolve(place));
  });
  return {
    port,
    control,
    async nextRetry(withinMs) {
      const signal = AbortSignal.timeout(withinMs);
      await once(child, "message", { signal }).catch(() => {});
    },
    close: () => kill(child),
  };
}

/** A program that keeps a core busy until the parent exits, for at most this number of milliseconds. */
const busyLoopSource = (longestMs: number) => `
  process.on("disconnect", () => process.exit());
  setTimeout(() => process.exit(), ${longestMs});
  const turn = () => {
    const end = performance.now() + 50;
    while (performance.now() < end);
    setImmediate(turn);
  };
  turn();
`;

/** Starts busy loops, optionally on one core. */
export function keepBusy({
  loops,
  core,
  longestMs,
}: {
  readonly loops: number;
  readonly core?: number | undefined;
  readonly longestMs: number;
}): { end(): Promise<void> } {
  const started = Array.from({ length: loops }, () => startNode(core, ["-e", busyLoopSource(longestMs)]));
  return {
    async end() {
      await Promise.all(started.map(kill));
    },
  };
}

/** Stops a process, and continues it after this number of milliseconds. */
export async function suspend(child: ChildProcess, durationMs: number): Promise<void> {
  child.kill("SIGSTOP");
  await pause(durationMs);
  child.kill("SIGCONT");
}
