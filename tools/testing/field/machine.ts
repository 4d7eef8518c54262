/** What a machine does to the programs on it: keeps them waiting for a core, or stops them for a while. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FaultyServerName, FieldServer, FieldServerName } from "./servers.ts";

/** What starts a command on one core alone, in front of it; nothing where no core is named. */
export const onCore = (core: number | undefined): readonly string[] =>
  core === undefined ? [] : ["taskset", "--cpu-list", String(core)];

/** Starts Node with an IPC channel, by whose end it notices that its parent is gone. */
function startNode(core: number | undefined, args: readonly string[]): ChildProcess {
  const [command = process.execPath, ...rest] = [...onCore(core), process.execPath, ...args];
  return spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

type Place = Pick<FieldServer, "port" | "control">;

/** A field server outside this process. */
export interface ServerProcess extends FieldServer {
  /** When the next webhook is about to be sent again, or so many milliseconds are over. */
  nextRetry(withinMs: number): Promise<void>;
}

export async function startServerProcess(
  name: FieldServerName | FaultyServerName,
  core?: number,
): Promise<ServerProcess> {
  const child = startNode(core, [fileURLToPath(new URL("server-process.ts", import.meta.url)), name]);
  const { port, control } = await new Promise<Place>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server's process ended with ${code}`)));
    child.once("message", (place: Place) => resolve(place));
  });
  return {
    port,
    control,
    async nextRetry(withinMs) {
      const signal = AbortSignal.timeout(withinMs);
      await once(child, "message", { signal }).catch(() => {});
    },
    close: () => end(child),
  };
}

/** Keeps a core busy while its parent runs, for at most this many milliseconds. */
const loop = (longestMs: number) => `
  process.on("disconnect", () => process.exit());
  setTimeout(() => process.exit(), ${longestMs});
  const turn = () => {
    const end = performance.now() + 50;
    while (performance.now() < end);
    setImmediate(turn);
  };
  turn();
`;

/** Starts endless loops, on one core alone where that is asked for. */
export function keepBusy({
  loops,
  core,
  longestMs,
}: {
  readonly loops: number;
  readonly core?: number | undefined;
  readonly longestMs: number;
}): { end(): Promise<void> } {
  const started = Array.from({ length: loops }, () => startNode(core, ["-e", loop(longestMs)]));
  return {
    async end() {
      await Promise.all(started.map(end));
    },
  };
}

/** Stops a process for so many milliseconds. */
export async function stop(child: ChildProcess, stillMs: number): Promise<void> {
  child.kill("SIGSTOP");
  await pause(stillMs);
  child.kill("SIGCONT");
}
