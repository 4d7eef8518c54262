import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { Redactor } from "../../core/text/redact.ts";
import { ClientSession } from "./session.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Starts a service that gives one response to every request. @param heard called with each request */
async function aService(heard: (request: IncomingMessage) => void = () => {}) {
  const server = createServer((request, response) => {
    heard(request);
    request.resume();
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url, control: { url, token: "control-token-of-the-test" }, close };
}

async function aSession(heard?: (request: IncomingMessage) => void): Promise<ClientSession> {
  const session = await ClientSession.open({
    port: 0,
    scenarios: [],
    seed: 1,
    timeScale: 1,
    redact: new Redactor(),
    notice: () => {},
    startService: () => aService(heard),
  });
  open.push(() => session.close());
  return session;
}

/** Sends raw bytes, and returns all bytes received until the connection ended. */
async function say(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

const BODY = JSON.stringify({ grant_type: "client_credentials" });
const asked = (version: string, ...headers: readonly string[]) =>
  [
    `POST /oauth/token HTTP/${version}`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    ...headers,
    "",
    "",
  ].join("\r\n");
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

test.each([
  [
    "asks for an upgrade to HTTP/2, as Java's client does",
    asked(
      "1.1",
      "Connection: Upgrade, HTTP2-Settings, close",
      "Upgrade: h2c",
      "HTTP2-Settings: AAEA",
      LENGTH,
    ) + BODY,
  ],
  [
    "asks for another protocol",
    asked("1.1", "Connection: upgrade, close", "Upgrade: websocket", LENGTH) + BODY,
  ],
  ["speaks HTTP/1.0", asked("1.0", LENGTH) + BODY],
  [
    "sends chunks",
    asked("1.1", "Connection: close", "Transfer-Encoding: chunked", "Trailer: X-Sum") + CHUNKED,
  ],
  ["waits for 100 Continue", asked("1.1", "Connection: close", "Expect: 100-continue", LENGTH) + BODY],
  [
    "names fields of its own connection",
    asked("1.1", "Connection: close, X-Hop", "X-Hop: 1", "TE: trailers", LENGTH) + BODY,
  ],
])("a client that %s gets the service's answer", async (_, bytes) => {
  const heard: IncomingHttpHeaders[] = [];
  const session = await aSession(({ headers }) => heard.push(headers));
  expect(await say(session.url, bytes)).toMatch(/HTTP\/1\.1 200 OK\r\n[\s\S]*\{\}/);
  const ofTheHop = ["upgrade", "http2-settings", "te", "trailer", "expect", "x-hop"];
  expect(heard.map((headers) => ofTheHop.filter((name) => name in headers))).toEqual([[]]);
});

test("an idle connection stays open for longer than the longest wait of a client", async () => {
  const session = await aSession();
  const { headers } = await fetch(`${session.url}/healthz`);
  const [, seconds] = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "") ?? [];
  // A client waits at most a minute between two attempts (specification, "Errors").
  expect(Number(seconds)).toBeGreaterThan(60);
});
