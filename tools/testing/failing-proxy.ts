import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** For tests: a proxy before a server that lets requests through, and at some does something worse. */
export interface FailingProxy {
  readonly url: string;
  /** How often it broke down. */
  readonly downs: () => number;
  close(): Promise<void>;
}

export interface FailingProxyOptions {
  /** The server's port on 127.0.0.1. */
  readonly port: number;
  /** Requests that come through; or what ends it, each time, in the bytes of one. */
  readonly requests: number | RegExp;
  /**
   * What happens then: every connection is cut and nothing listens any more; or everything is accepted and nothing
   * answered; or it is cut and listens again, with another server behind it.
   */
  readonly then: "dies" | "hangs" | { readonly comesBackAt: number; readonly afterMs: number };
}

const REQUEST_LINE = /HTTP\/1\.1\r\n/g;

/** Starts one. A request whose first bytes come in two pieces isn't counted: that changes only when it breaks. */
export async function startFailingProxy({
  port,
  requests,
  then,
}: FailingProxyOptions): Promise<FailingProxy> {
  const sockets = new Set<Socket>();
  let left = typeof requests === "number" ? requests : Number.POSITIVE_INFINITY;
  let downs = 0;
  let upstreamPort = port;
  let isHanging = false;
  let back: Promise<void> = Promise.resolve();

  const listen = (on: number): Promise<void> =>
    new Promise((resolve) => server.listen(on, "127.0.0.1", resolve));
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
        .then(() => listen(ownPort));
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
    upstream.on("data", (bytes) => void (isHanging || client.write(bytes)));
    client.on("data", (bytes) => {
      if (requests instanceof RegExp && requests.test(bytes.toString("latin1"))) return breakDown();
      const begun = bytes.toString("latin1").match(REQUEST_LINE)?.length ?? 0;
      const isOver = left <= 0;
      left -= begun;
      if (!isOver && left <= 0) breakDown();
      if (!isHanging) upstream.write(bytes);
    });
  });
  await listen(0);
  const ownPort = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    downs: () => downs,
    async close() {
      await back;
      await cut();
    },
  };
}
