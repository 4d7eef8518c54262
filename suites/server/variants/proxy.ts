import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { Agent, request } from "undici";
import { parseJson } from "../../core/json.ts";

/** An answer on its way from the reference server to the client, open to change. */
export interface PassingResponse {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  status: number;
  /** Names in lower case; sent in the case that they have here. */
  headers: Record<string, string>;
  /** The parsed JSON body; undefined if there is none. */
  json: unknown;
  /** The body as it is sent, if it isn't JSON. */
  bytes: Buffer;
  /** How the body is coded on its way. */
  coding: "identity" | "gzip";
  /** The status of an interim response that goes before it, unasked. */
  interim: 100 | 103 | undefined;
}

/** Makes another legal answer of the reference server's. */
export type Rewrite = (response: PassingResponse) => void | Promise<void>;

/** Headers that the hop between proxy and client sets by itself. */
const HOP_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "date"]);

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Proxies a server and alters its answers, except those of the control interface. Each client's source address is
 * passed on, so that limits per address stay the same.
 */
export async function startRewritingProxy(
  targetUrl: string,
  alter: Rewrite,
): Promise<{ url: string; close(): Promise<void> }> {
  const agents = new Map<string, Agent>();
  const agentFor = (localAddress: string): Agent => {
    const known = agents.get(localAddress);
    if (known) return known;
    // The pool's own option: among those of its connector it would be ignored.
    const agent = new Agent({ localAddress, connect: { autoSelectFamily: false } });
    agents.set(localAddress, agent);
    return agent;
  };

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = incoming.url ?? "/";
    const body = await read(incoming);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).flatMap(([name, value]) =>
        value === undefined || HOP_HEADERS.has(name) ? [] : [[name, value]],
      ),
    );
    const answer = await request(`${targetUrl}${url}`, {
      method: incoming.method ?? "GET",
      headers,
      body: body.length > 0 ? body : null,
      dispatcher: agentFor(incoming.socket.remoteAddress ?? "127.0.0.1"),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const response: PassingResponse = {
      method: incoming.method ?? "GET",
      path: url.split("?")[0] ?? "/",
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined || HOP_HEADERS.has(name) ? [] : [[name, [value].flat().join(", ")]],
        ),
      ),
      json: String(answer.headers["content-type"] ?? "").includes("json")
        ? parseJson(bytes.toString("utf8"))
        : undefined,
      bytes,
      coding: "identity",
      interim: undefined,
    };
    if (!response.path.startsWith("/control")) await alter(response);
    const plain = response.json === undefined ? response.bytes : Buffer.from(JSON.stringify(response.json));
    const isCoded = response.coding === "gzip" && plain.length > 0;
    if (response.interim === 100) outgoing.writeContinue();
    if (response.interim === 103) outgoing.writeEarlyHints({ link: "</style.css>; rel=preload" });
    outgoing.writeHead(response.status, {
      ...response.headers,
      ...(isCoded && { "content-encoding": "gzip" }),
    });
    outgoing.end(response.status === 204 ? undefined : isCoded ? gzipSync(plain) : plain);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}
