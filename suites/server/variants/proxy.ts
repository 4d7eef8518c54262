import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { Agent, request } from "undici";
import { parseJson } from "../../core/json.ts";

export interface PassingResponse {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  status: number;
  /** Names are in lower case, and sent in this case. */
  headers: Record<string, string>;
  /** The parsed JSON body; undefined for other bodies. */
  json: unknown;
  /** The body, if it isn't JSON. */
  bytes: Buffer;
  /** The content coding. */
  coding: "identity" | "gzip";
  /** The status of an interim response that is sent before the response. */
  interim: 100 | 103 | undefined;
}

/** Changes a response of the reference server into another legal one. */
export type Rewrite = (response: PassingResponse) => void | Promise<void>;

/** Headers that the connection between proxy and client sets itself. */
const HOP_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "date"]);

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Proxies a server and changes its responses, except those of the control interface. The client's source
 * address is kept, so that limits per IP address stay the same.
 */
export async function startRewritingProxy(
  targetUrl: string,
  alter: Rewrite,
): Promise<{ url: string; close(): Promise<void> }> {
  const agents = new Map<string, Agent>();
  const agentFor = (localAddress: string): Agent => {
    const known = agents.get(localAddress);
    if (known) return known;
    // An option of the pool, which ignores it among the connector's options.
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
