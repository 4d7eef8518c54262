/** Starts a server in its own process, and measures the server's CPU time. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StartMessage } from "./server-process.ts";

export interface ServerProcess {
  readonly url: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  /** The CPU time on all cores since the start, in milliseconds. */
  cpuMs(): Promise<number>;
}

/** Starts a server, and stops it when `work` has ended. */
export async function withServer<T>(
  start: Omit<StartMessage, "controlToken">,
  work: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const controlToken = "token-of-the-bench";
  // Later starts reuse the compiled code, as with bin/server.js.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };
  const child = fork(new URL("server-process.ts", import.meta.url), { execArgv: [], stdio: "inherit", env });
  try {
    await nextMessage(child);
    child.send({ ...start, controlToken } satisfies StartMessage);
    const url = String((await nextMessage(child)).url);
    return await work({
      url,
      controlUrl: `${url}/control`,
      controlToken,
      async cpuMs() {
        child.send("usage");
        return Number((await nextMessage(child)).cpuMs);
      },
    });
  } finally {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

/** The next message of the process. @throws if the process exits before it sends one */
function nextMessage(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error("the measured server has ended"));
    child.once("exit", end);
    child.once("message", (message) => {
      child.off("exit", end);
      resolve(Object(message));
    });
  });
}
