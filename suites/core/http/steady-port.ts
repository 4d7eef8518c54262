import { randomInt } from "node:crypto";
import type { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const HOST = "127.0.0.1";
/** Below the ports that systems give to connections, so that a port is still free when a server returns to it. */
const STEADY = { from: 10_000, to: 32_000 };
/** Milliseconds until the next try at a port in use. */
const ASK_AGAIN_MS = 5;

/**
 * A port of loopback that a server can listen on again after it was closed. A port chosen by the system may be taken by
 * then.
 */
export const steadyPort = (): number => randomInt(STEADY.from, STEADY.to);

const isInUse = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";

/**
 * Starts a server at an earlier server's port. A process that is just starting holds its parent's open files until its
 * program runs, so the port may be in use for a moment after the close.
 */
export async function onceFree<Started>(start: () => Promise<Started>): Promise<Started> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!isInUse(error)) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => {
      server.off("error", reject);
      resolve();
    });
  });

/**
 * Has a server listen on loopback at a port that it can come back to.
 * @returns the port
 */
export async function listenOnSteadyPort(server: Server): Promise<number> {
  const port = steadyPort();
  try {
    await listen(server, port);
    return port;
  } catch (error) {
    if (isInUse(error)) return listenOnSteadyPort(server);
    throw error;
  }
}

/**
 * Makes a closed server listen at its port again.
 * @param isOver true if nobody waits for the server any more
 */
export const listenAgain = (server: Server, port: number, isOver: () => boolean): Promise<void> =>
  onceFree(async () => {
    if (!isOver() && !server.listening) await listen(server, port);
  });
