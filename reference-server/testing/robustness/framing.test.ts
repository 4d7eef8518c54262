import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../embedded.ts";
import { request, say } from "./raw-socket.ts";
import { expectNoLeak, expectRefusal } from "./refusal.ts";

let server: RunningServer;
const faults: unknown[] = [];

beforeAll(async () => {
  server = await startReferenceServer({ reportFault: (error) => faults.push(error) });
});
afterAll(() => server.close());
afterEach(() => expect(faults).toEqual([]));

const json = "Content-Type: application/json";
const chunked = "Transfer-Encoding: chunked";
const token = (...headers: string[]) => request("POST /oauth/token", [json, ...headers]);
const health = (...headers: string[]) => request("GET /healthz", headers);
/** The smuggled request. */
const hidden = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

test("a valid request is answered", async () => {
  const [answer, ...others] = await say(server.url, health());
  expect(answer?.status).toBe(200);
  expect(others).toEqual([]);
});

describe("a request with an ambiguous end is refused, and nothing after it is read", () => {
  test.each([
    ["length and chunks", `${token("Content-Length: 6", chunked)}0\r\n\r\n${hidden}`],
    ["chunks and length", `${token(chunked, "Content-Length: 5")}0\r\n\r\n${hidden}`],
    ["two lengths", `${token("Content-Length: 2", "Content-Length: 40")}{}${hidden}`],
    ["a list of lengths", `${token("Content-Length: 2, 40")}{}${hidden}`],
    ["a signed length", `${token("Content-Length: +2")}{}${hidden}`],
    ["a negative length", `${token("Content-Length: -1")}${hidden}`],
    ["a hexadecimal length", `${token("Content-Length: 0x2")}{}${hidden}`],
    ["a space before the colon", `${token("Content-Length : 2")}{}${hidden}`],
    ["an unknown coding", `${token("Transfer-Encoding: xchunked")}0\r\n\r\n${hidden}`],
    ["chunks twice", `${token("Transfer-Encoding: chunked, chunked")}0\r\n\r\n${hidden}`],
    [
      "chunks without a transfer coding",
      `${token("Transfer-Encoding: identity", "Content-Length: 2")}{}${hidden}`,
    ],
    ["a chunk with a bare line feed", `${token(chunked)}2\n{}\r\n0\r\n\r\n${hidden}`],
    ["a chunk too large for a number", `${token(chunked)}fffffffffffffffff\r\n{}\r\n0\r\n\r\n${hidden}`],
    ["endless chunk extensions", `${token(chunked)}2;a=${"x".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`],
    [
      "a content-length in the trailers",
      `${token(chunked)}2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n${hidden}`,
    ],
    ["chunks in HTTP/1.0", `${token(chunked).replace("HTTP/1.1", "HTTP/1.0")}0\r\n\r\n${hidden}`],
    ["bare line feeds", "GET /healthz HTTP/1.1\nHost: x\n\n"],
    ["a bare line feed", `GET /healthz HTTP/1.1\r\nHost: x\nX: y\r\n\r\n${hidden}`],
    ["a bare carriage return", `GET /healthz HTTP/1.1\r\nHost: x\rX: y\r\n\r\n${hidden}`],
    ["a folded header", `${health("X: a\r\n b")}${hidden}`],
    ["a NUL in a header", `${health("X: a\0b")}${hidden}`],
    ["no host", `GET /healthz HTTP/1.1\r\n\r\n${hidden}`],
    ["two hosts", `${health("Host: y")}${hidden}`],
    ["two types", `${token("content-type: text/plain", "Content-Length: 2")}{}`],
    ["two tokens", request("GET /v1/stores", ["Authorization: Bearer a", "Authorization: Bearer b"])],
    ["another protocol", Buffer.from("16030100a5010000a1030379", "hex")],
    ["another version", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown method", request("FOO /healthz")],
  ])("%s", async (_what, bytes) => {
    const [answer, ...others] = await say(server.url, bytes);
    expectRefusal(answer);
    expect(others).toEqual([]);
  });
});

describe("endless headers are refused", () => {
  test.each([
    ["one long header", health(`X: ${"y".repeat(100_000)}`)],
    ["many short headers", health(...Array.from({ length: 5000 }, (_, index) => `a${index}: b`))],
    ["a long path", request(`GET /${"y".repeat(100_000)}`)],
  ])("%s", async (_what, bytes) => {
    const [answer] = await say(server.url, bytes);
    expect(answer?.status).toBe(431);
    expectRefusal(answer);
  });
});

test.each([
  ["an unknown expectation", request("GET /healthz", ["Expect: 200-maybe"]), 200],
  ["an unsupported upgrade", request("GET /healthz", ["Upgrade: websocket"]), 200],
  ["a method that isn't offered", request("TRACE /healthz"), 404],
  ["a body for an unknown path", request("POST /nowhere", ["Content-Length: 999999999"]), 413],
])("%s gets an ordinary response", async (_what, bytes, status) => {
  const [answer] = await say(server.url, bytes);
  expect(answer?.status).toBe(status);
  expect(answer?.headers["x-ratelimit-limit"]).toBe("300");
  expectNoLeak(answer?.text ?? "");
});

test("a tunnel isn't opened", async () => {
  expect(await say(server.url, "CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toEqual([]);
});
