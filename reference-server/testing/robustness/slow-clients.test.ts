import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../embedded.ts";
import { open, request, say, type Wire } from "./raw-socket.ts";
import { expectRefusal } from "./refusal.ts";

let server: RunningServer;
const faults: unknown[] = [];

beforeAll(async () => {
  server = await startReferenceServer({
    reportFault: (error) => faults.push(error),
    mutate: (deps) => ({
      ...deps,
      limits: {
        ...deps.limits,
        rate: { ...deps.limits.rate, token: { ...deps.limits.rate.token, requests: 1000 } },
        connections: { ...deps.limits.connections, headersMs: 200, requestMs: 400, checkMs: 20 },
      },
    }),
  });
});
afterAll(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

const post = request("POST /oauth/token", ["Content-Type: application/json", "Content-Length: 1000"]);
const endless = request("POST /oauth/token", [
  "Content-Type: application/json",
  "Transfer-Encoding: chunked",
]);

/** Sends these bytes every few milliseconds until the connection ends. */
function drip(wire: Wire, bytes: string): Wire {
  const timer = setInterval(() => wire.socket.write(bytes), 10);
  wire.socket.once("close", () => clearInterval(timer));
  return wire;
}

test.each([
  ["says nothing", () => open(server.url)],
  ["begins a request and then sends nothing", () => open(server.url, "GET /healthz HT")],
  ["sends its headers one byte at a time", () => drip(open(server.url, "GET /healthz HTTP/1.1\r\nX: "), "y")],
  ["sends endless headers", () => drip(open(server.url, "GET /healthz HTTP/1.1\r\n"), "X: y\r\n")],
  ["declares a body that it doesn't send", () => open(server.url, post)],
  ["sends a body one byte at a time", () => drip(open(server.url, post), " ")],
  ["sends an endless chunked body", () => drip(open(server.url, endless), "1\r\n \r\n")],
])("a client is disconnected that %s", async (_what, begin) => {
  const [answer, ...others] = await begin().answers;
  expect(answer?.status).toBe(408);
  expectRefusal(answer);
  expect(others).toEqual([]);
});

test("a body that is too large is refused without being buffered", async () => {
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const [answer] = await say(server.url, `${endless}${chunk.repeat(17)}0\r\n\r\n`);
  expect(answer?.status).toBe(413);
  expectRefusal(answer);
});

test("a client that sends an endless body at full speed is disconnected", async () => {
  const wire = open(server.url, endless);
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const more = () => {
    while (wire.socket.writable && wire.socket.write(chunk));
  };
  wire.socket.on("drain", more).once("connect", more);
  await wire.answers;
  const [answer] = await say(server.url, request("GET /healthz"));
  expect(answer?.status).toBe(200);
});

test("a client that disconnects during its request has no effect", async () => {
  const wire = open(server.url, `${post}{`);
  wire.socket.end();
  await wire.answers;
  const [answer] = await say(server.url, request("GET /healthz"));
  expect(answer?.status).toBe(200);
});

test("a complete request is answered while slow clients are connected", async () => {
  const slow = Array.from({ length: 200 }, () => drip(open(server.url, post), " "));
  const [answer] = await say(server.url, request("GET /healthz"));
  expect(answer?.status).toBe(200);
  const cutOff = await Promise.all(slow.map(({ answers }) => answers));
  expect(new Set(cutOff.map(([first]) => first?.status))).toEqual(new Set([408]));
});
