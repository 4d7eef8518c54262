/** The program of a measured server, which reports its CPU time when asked. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { startBareServer } from "./bare-server.ts";

export interface StartMessage {
  /** The reference server with rate limits, the reference server without rate limits, or the bare server. */
  readonly kind: "reference" | "unlimited" | "bare";
  /** The path of the database, or `:memory:`. */
  readonly database: string;
  readonly controlToken: string;
  /** The delivery in the bare server's responses. */
  readonly delivery?: object;
  /** The latency of responses. With latency, all requests come from one IP address. */
  readonly latencyMs?: number;
}

const UNLIMITED = { requests: 1_000_000_000, windowMs: 60_000 };
const RATE = { integrator: UNLIMITED, anonymous: UNLIMITED, token: UNLIMITED, tracking: UNLIMITED };

function start({ kind, database, controlToken, delivery = {} }: StartMessage): Promise<{ url: string }> {
  if (kind === "bare") return startBareServer(delivery);
  const mutate = (deps: Dependencies) =>
    kind === "reference" ? deps : { ...deps, limits: { ...deps.limits, rate: RATE } };
  return startReferenceServer({ database, controlToken, mutate, webhookKey: Buffer.alloc(32, 7) });
}

/**
 * Starts a relay that delays each chunk in both directions.
 * @returns the relay's URL
 */
async function delayingRelay(url: string, delayMs: number): Promise<string> {
  const forward = (from: Socket, to: Socket) => {
    from.setNoDelay(true);
    from.on("data", (bytes) => setTimeout(() => to.write(bytes), delayMs));
    from.on("close", () => setTimeout(() => to.destroy(), delayMs));
    from.on("error", () => from.destroy());
  };
  const relay = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), "127.0.0.1");
    forward(client, upstream);
    forward(upstream, client);
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return `http://127.0.0.1:${Object(relay.address()).port}`;
}

process.on("message", async (message: StartMessage | "usage") => {
  if (message === "usage") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000 });
    return;
  }
  const { url } = await start(message);
  const { latencyMs } = message;
  process.send?.({ url: latencyMs === undefined ? url : await delayingRelay(url, latencyMs / 2) });
});
// Without this handler, SIGTERM would end the process without writing the compile cache.
process.on("SIGTERM", () => process.exit());
process.on("disconnect", () => process.exit());
process.send?.("ready");
