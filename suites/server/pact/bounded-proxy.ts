import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { openConnections, sendRequest } from "../../core/http/connections.ts";
import { readResponse } from "../session/http/incoming-response.ts";

export interface BoundedProxyOptions {
  readonly target: string;
  /** The time limit for a whole response, in milliseconds. */
  readonly answerMs: number;
  /** Called with each received body, even if it is cut. */
  readonly onBody: (bytes: Uint8Array) => void;
}

const MB = 1024 * 1024;
/** The maximum size of a response, larger than a photo. The verifier's memory is many times a body's size. */
const MAX_MB = 2;
const HOST = "127.0.0.1";
/** Headers of a single connection, and headers about the content coding. */
const HOP_BY_HOP = [
  "connection",
  "content-encoding",
  "content-length",
  "host",
  "keep-alive",
  "transfer-encoding",
];

const endToEnd = <T>(headers: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));

/**
 * A proxy in front of a target that limits the size, depth and duration of its responses, because the
 * library's verifier has no limits. A response beyond the limits becomes a 502 with the reason.
 */
export async function startBoundedProxy({ target, answerMs, onBody }: BoundedProxyOptions) {
  const connections = openConnections({ connectMs: answerMs, answerMs });
  const forward = async (incoming: IncomingMessage) => {
    const headers = Object.fromEntries(
      Object.entries(endToEnd(incoming.headers)).map(([name, value]) => [
        name,
        [value ?? ""].flat().join(", "),
      ]),
    );
    const body = await buffer(incoming);
    const request = { method: incoming.method ?? "GET", headers, body: body.length > 0 ? body : null };
    const answer = await sendRequest(connections, `${target}${incoming.url}`, request, {
      timeoutMs: answerMs,
      onBody,
    });
    const { bytes } = readResponse(answer);
    if (bytes.length > MAX_MB * MB) throw new Error(`its response is longer than ${MAX_MB} MB`);
    return { ...answer, bytes };
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      const { status, headers, bytes } = await forward(incoming);
      outgoing.writeHead(status, endToEnd(headers)).end(bytes);
    } catch (error) {
      const why = error instanceof Error ? error.message : "no response";
      if (!outgoing.headersSent) outgoing.writeHead(502, { "content-type": "text/plain; charset=utf-8" });
      outgoing.end(why);
    }
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://${HOST}:${port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await connections.close();
    },
  };
}
