/** Starts the processes that are measured, and ends them. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StartMessage } from "./server-process.ts";

export interface ServerProcess {
  readonly url: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  /** From the start command until the process responded, in ms. */
  readonly startMs: number;
  /** CPU time on all cores in ms, and resident memory in bytes. */
  usage(): Promise<{ cpuMs: number; rssBytes: number }>;
  close(): Promise<void>;
}

const controlToken = "token-of-the-bench";

export async function startServer(kind: StartMessage["kind"], database: string): Promise<ServerProcess> {
  const begin = performance.now();
  // What was compiled is kept from one start to the next, as bin/server.js does.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };
  const child = fork(new URL("server-process.ts", import.meta.url), { execArgv: [], stdio: "inherit", env });
  await answer(child);
  child.send({ kind, database, controlToken } satisfies StartMessage);
  const url = String((await answer(child)).url);
  return {
    url,
    controlUrl: `${url}/control`,
    controlToken,
    startMs: performance.now() - begin,
    async usage() {
      child.send("usage");
      const said = await answer(child);
      return { cpuMs: Number(said.cpuMs), rssBytes: Number(said.rssBytes) };
    },
    async close() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

/** The next message of the process; throws if it exits instead. */
function answer(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error("a server that was to be measured has ended"));
    child.once("exit", end);
    child.once("message", (message) => {
      child.off("exit", end);
      resolve(Object(message));
    });
  });
}
