import { randomInt } from "node:crypto";
import type { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const HOST = "127.0.0.1";
/** Below the system's ephemeral ports, so that no other program gets the port while the server is closed. */
const PORT_RANGE = { from: 10_000, to: 32_000 };
/** The retry interval in milliseconds for a port in use. */
const RETRY_MS = 5;

/**
 * A loopback port that a server can reuse after a restart. The system might assign a port of its own choice
 * to another program.
 */
export const steadyPort = (): number => randomInt(PORT_RANGE.from, PORT_RANGE.to);

const isInUse = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";

/**
 * Starts a server at its earlier port. A starting child process holds its parent's open files for a moment,
 * so the port may still be in use.
 */
export async function retryWhilePortInUse<Started>(start: () => Promise<Started>): Promise<Started> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!isInUse(error)) throw error;
      await pause(RETRY_MS);
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
 * Starts a server on loopback, at a port that it can reuse.
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
 * Restarts a closed server at its port.
 * @param isOver true to stop trying
 */
export const listenAgain = (server: Server, port: number, isOver: () => boolean): Promise<void> =>
  retryWhilePortInUse(async () => {
    if (!isOver() && !server.listening) await listen(server, port);
  });
