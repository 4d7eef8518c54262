import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { errors } from "undici";
import { ConnectionLoss, isReset } from "./connection-loss.ts";
import { headersIn } from "./header-profiles.ts";
import {
  type HttpClient,
  type IncomingHttp,
  MAX_CONNECTIONS,
  type OutgoingHttp,
  type ProgramOptions,
} from "./http-client.ts";

/** An HTTP client based on node:http. It shares no code with undici, and allows any order of headers. */
export function nodeHttpClient(options: ProgramOptions): HttpClient {
  const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const agents = { "http:": new http.Agent(pool), "https:": new https.Agent(pool) };
  const pending = new Set<http.ClientRequest>();
  return {
    send(url, outgoing) {
      const to = new URL(url);
      const isHttps = to.protocol === "https:";
      const agent = agents[isHttps ? "https:" : "http:"];
      const { localAddress } = options;
      const request = (isHttps ? https : http).request(to, {
        method: outgoing.method,
        agent: outgoing.fresh ? false : agent,
        setHost: false,
        signal: outgoing.signal,
        ...(localAddress !== undefined && { localAddress, family: 4, autoSelectFamily: false }),
      });
      pending.add(request);
      request.once("close", () => pending.delete(request));
      return exchangeOver(request, to, outgoing, options);
    },
    async close() {
      for (const request of pending) request.destroy();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function exchangeOver(
  request: http.ClientRequest,
  to: URL,
  outgoing: OutgoingHttp,
  { style, connectMs, answerMs }: ProgramOptions,
): Promise<IncomingHttp> {
  const { method, body } = outgoing;
  const length = body === null ? undefined : Buffer.byteLength(body);
  const given = {
    host: to.host,
    ...((length !== undefined || method === "POST") && { "content-length": String(length ?? 0) }),
    ...outgoing.headers,
  };
  for (const [name, value] of headersIn(style, given)) request.setHeader(name, value);
  // Keep-alive is the default in HTTP/1.1, so the header can be omitted.
  if (!request.hasHeader("connection")) request.removeHeader("connection");
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    request.once("socket", (socket) => limitConnecting(request, socket, connectMs));
    request.setTimeout(outgoing.answerMs ?? answerMs, () =>
      request.destroy(isAnswered ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError()),
    );
    // The listener stays: the body reports later errors of the connection.
    request.on("error", (error) =>
      reject(isReset(error) ? new ConnectionLoss(request.reusedSocket ? "kept" : "new") : error),
    );
    // Without a listener, Node would close the connection without an error.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("its response switches to another protocol, which wasn't requested"));
    });
    // Any other end of the connection before the response is a loss.
    request.once("close", () => {
      if (!isAnswered) reject(new ConnectionLoss(request.reusedSocket ? "kept" : "new"));
    });
    request.once("response", (response) => {
      isAnswered = true;
      const { statusCode = 0, rawHeaders } = response;
      resolve({ status: statusCode, headers: valuesByName(rawHeaders), body: response });
    });
    request.end(body ?? undefined);
  });
}

function limitConnecting(request: http.ClientRequest, socket: Socket, connectMs: number): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => request.destroy(new errors.ConnectTimeoutError()), connectMs);
  for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
}

/** All values of each header. Node's `headers` drops some repetitions. */
function valuesByName(raw: readonly string[]): Record<string, string | string[]> {
  const all = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    all.set(name, [...(all.get(name) ?? []), raw[at + 1] ?? ""]);
  }
  return Object.fromEntries(
    [...all].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}
