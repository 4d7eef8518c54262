import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A simulated connection between the suite and a server: slow, shared, or interrupted at random. */
export interface LineOptions {
  readonly port: number;
  /** The round-trip latency in milliseconds: fixed, or random between two bounds. */
  readonly latencyMs?: number | readonly [number, number];
  /** The share of connections that are reset, each at one of its first requests. */
  readonly resets?: number;
  /** The share of requests that a balancer answers with 502 instead of the server, and closes the connection. */
  readonly unavailable?: number;
  /** True if all clients share one IP address, as behind a gateway. */
  readonly oneAddress?: boolean;
  readonly seed?: number;
}

interface Line {
  readonly url: string;
  resets(): number;
  close(): Promise<void>;
}

const PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>";
const BAD_GATEWAY = [
  "HTTP/1.1 502 Bad Gateway",
  "content-type: text/html",
  `content-length: ${PAGE.length}`,
  "connection: close",
  "",
  PAGE,
].join("\r\n");

/** The number of first requests that a reset is drawn from. */
const RESET_WITHIN = 12;

/** A linear congruential generator of numbers from 0 to 1, for repeatable tests. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function openLine({
  port,
  latencyMs = 0,
  resets = 0,
  unavailable = 0,
  oneAddress = false,
  seed = 1,
}: LineOptions): Promise<Line> {
  const random = randomOf(seed);
  const sockets = new Set<Socket>();
  let torn = 0;
  const half = () => {
    const [least, most] = typeof latencyMs === "number" ? [latencyMs, latencyMs] : latencyMs;
    return (least + random() * (most - least)) / 2;
  };
  /** Forwards chunks in order, each after its latency. */
  const carry = (from: Socket, to: Socket, onPiece: () => boolean) => {
    let before: Promise<unknown> = Promise.resolve();
    from.on("data", (bytes: Buffer) => {
      if (!onPiece()) return;
      if (latencyMs === 0) return void to.write(bytes);
      before = Promise.all([before, pause(half())]).then(() => to.write(bytes));
    });
    from.on("end", () => void before.then(() => to.end()));
  };
  const server: Server = createServer((client) => {
    const upstream = connect({
      port,
      host: "127.0.0.1",
      ...(!oneAddress && client.remoteAddress !== undefined && { localAddress: client.remoteAddress }),
    });
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    let piecesLeft = random() < resets ? Math.floor(random() * RESET_WITHIN) : Number.POSITIVE_INFINITY;
    carry(client, upstream, () => {
      if (client.writableEnded) return false;
      // A request arrives in one or two chunks.
      if (unavailable > 0 && random() < unavailable) {
        client.end(BAD_GATEWAY);
        return false;
      }
      piecesLeft -= 1;
      if (piecesLeft >= 0) return true;
      torn += 1;
      client.resetAndDestroy();
      return false;
    });
    carry(upstream, client, () => !client.writableEnded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the line has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    resets: () => torn,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
