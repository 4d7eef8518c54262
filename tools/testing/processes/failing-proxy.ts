import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { listenAgain, listenOnSteadyPort } from "../../../suites/core/http/steady-port.ts";

/** A proxy that forwards requests to a server, and fails at some of them. */
export interface FailingProxy {
  readonly url: string;
  /** The number of failures. */
  readonly downs: () => number;
  /** The number of requests that arrived while it was hanging. */
  readonly unanswered: () => number;
  close(): Promise<void>;
}

export interface FailingProxyOptions {
  readonly port: number;
  /** The number of requests before a failure, or a pattern of the request that causes it. */
  readonly requests: number | RegExp;
  /** True if the request that matches the pattern is still forwarded and answered. */
  readonly answers?: boolean;
  /**
   * "dies" cuts all connections and stops listening. "hangs" accepts requests and doesn't respond. Otherwise
   * the proxy cuts all connections and listens again, with another server behind it.
   */
  readonly then: "dies" | "hangs" | { readonly comesBackAt: number; readonly afterMs: number };
}

/** The longest match of the pattern, which may be split between two chunks. */
const LONGEST_END = 100;
const REQUEST_LINE = /HTTP\/1\.1\r\n/g;

/**
 * Starts a proxy. It doesn't count a request whose first bytes are split between two chunks, which only
 * delays the breakdown.
 */
export async function startFailingProxy({
  port,
  requests,
  then,
  answers = false,
}: FailingProxyOptions): Promise<FailingProxy> {
  const sockets = new Set<Socket>();
  let left = typeof requests === "number" ? requests : Number.POSITIVE_INFINITY;
  let downs = 0;
  let unanswered = 0;
  let upstreamPort = port;
  let isHanging = false;
  let isOver = false;
  let back: Promise<void> = Promise.resolve();

  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const breakDown = () => {
    downs += 1;
    if (then === "hangs") isHanging = true;
    else if (then === "dies") back = cut();
    else {
      upstreamPort = then.comesBackAt;
      back = cut()
        .then(() => pause(then.afterMs))
        .then(() => listenAgain(server, ownPort, () => isOver));
    }
  };

  const server: Server = createServer((client) => {
    const upstream = connect({ port: upstreamPort, host: "127.0.0.1", localAddress: client.remoteAddress });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    let endsAfter = false;
    upstream.on("data", (bytes) => {
      if (isHanging) return;
      const isLast = endsAfter;
      endsAfter = false;
      client.write(bytes, () => void (isLast && breakDown()));
    });
    let heard = "";
    client.on("data", (bytes) => {
      heard = `${heard.slice(-LONGEST_END)}${bytes.toString("latin1")}`;
      if (requests instanceof RegExp && requests.test(heard)) {
        if (!answers) return breakDown();
        endsAfter = true;
      }
      const begun = bytes.toString("latin1").match(REQUEST_LINE)?.length ?? 0;
      const isOver = left <= 0;
      left -= begun;
      if (!isOver && left <= 0) breakDown();
      if (isHanging) unanswered += begun;
      else upstream.write(bytes);
    });
  });
  const ownPort = await listenOnSteadyPort(server);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    downs: () => downs,
    unanswered: () => unanswered,
    async close() {
      isOver = true;
      await back;
      await cut();
    },
  };
}
