/**
 * A hostile target's attacks on one response. Sizes are small if they test a limit as well as gigabytes
 * would.
 */
import type { ServerResponse } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { isObject } from "../../../../suites/core/json.ts";
import type { SentResponse } from "./contract.ts";
import { disguises } from "./disguises.ts";

/** A response that passes through the hostile proxy, with its request. */
export interface Passing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** All secrets that have passed so far: tokens, client secrets, the control token. */
  readonly secrets: readonly string[];
  /** A seeded random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/**
 * Sends an attack instead of the response.
 * @returns the sent response; undefined if the attack isn't a complete response
 */
type Attack = (passing: Passing, response: ServerResponse) => SentResponse | undefined;

const MB = 1024 * 1024;
const zeros = Buffer.alloc(64 * MB);
const GZIP_TWICE = gzipSync(gzipSync(zeros));
const BROTLI = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

const span = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
/**
 * Control characters: C0 except tab and line feed, DEL, C1, bidirectional marks, line separators, and
 * zero-width characters.
 */
export const CONTROL_CHARACTERS = [
  ...[span(0, 8), span(11, 31), span(127, 159), "\u200b\u200e\u200f", span(0x2028, 0x202e)],
  ...[span(0x2066, 0x2069), "\ufeff"],
].join("");
/** Clears a terminal's screen, prints a verdict, and writes to the clipboard. */
export const FAKE_VERDICT = `\u001b[2J\u001b[HCONFORMANT  (exit 0)\u001b]52;c;cm0gLXJm\u0007`;
/** The beginnings of possible matches. From each repetition, a backtracking regular expression scans the text again. */
export const REPEATED = '\t,\n,0,=,?,&amp;,%25,\\x41,\\",<title,answer ,12:,{'.split(",");
/** Commands to the CI systems that read a job's log. */
export const WORKFLOW_COMMANDS = "\n::error::marked\n##[stop-commands]x\r\u0085::add-mask::a";

function send(
  response: ServerResponse,
  { status, headers }: Passing,
  body: string | Buffer,
  more: Readonly<Record<string, string>> = {},
): SentResponse {
  const { "content-length": _, "transfer-encoding": __, ...rest } = headers;
  const sent = { ...rest, ...more };
  response.writeHead(status, sent);
  response.end(body);
  const isCoded = sent["content-encoding"] !== undefined;
  return { status, contentType: sent["content-type"] ?? "", body: isCoded ? "" : body.toString() };
}

const json = (response: ServerResponse, passing: Passing, value: unknown): SentResponse =>
  send(response, passing, JSON.stringify(value), { "content-type": "application/json" });

/** Changes every string in a value. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, change)]));
}

function drip(response: ServerResponse, { status }: Passing): undefined {
  response.writeHead(status, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 100);
  response.once("close", () => clearInterval(timer));
}

function endless(response: ServerResponse, { status }: Passing): undefined {
  const chunk = Buffer.alloc(MB, 0x20);
  response.writeHead(status === 204 ? 200 : status, { "content-type": "application/json" });
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

/** The encodings in which server logs contain a secret. */
export const disguised = (secret: string): readonly string[] => [
  ...disguises(secret),
  encodeURIComponent(secret).toLowerCase(),
  Buffer.from(`id:${secret}`).toString("base64"),
  secret.slice(0, Math.max(20, secret.length - 3)),
];

/** Writes bytes that an HTTP server wouldn't write. */
const raw = (response: ServerResponse, bytes: string): undefined =>
  void response.socket?.write(bytes, "latin1");

/** The response that most clients read from the raw bytes. */
const EMPTY_OBJECT: SentResponse = { status: 200, contentType: "", body: "{}" };

/** Repeats a chunk until the reader closes the connection. */
function rawWithoutEnd(response: ServerResponse, head: string, again: string): undefined {
  const { socket } = response;
  if (!socket) return undefined;
  const more = () => {
    while (!socket.destroyed && socket.write(again, "latin1"));
  };
  socket.write(head, "latin1");
  socket.on("drain", more);
  more();
}

const some = <T>(list: readonly T[], random: () => number): T | undefined =>
  list[Math.floor(random() * list.length)];

export const ATTACKS: Readonly<Record<string, Attack>> = {
  "gzip-bomb": (passing, response) =>
    send(response, passing, GZIP_TWICE, {
      "content-encoding": "gzip, gzip",
      "content-type": "application/json",
    }),
  "brotli-bomb": (passing, response) =>
    send(response, passing, BROTLI, { "content-encoding": "br", "content-type": "application/json" }),
  "coded-over-and-over": (passing, response) =>
    send(response, passing, GZIP_TWICE, { "content-encoding": Array(200).fill("gzip").join() }),
  "not-what-it-says": (passing, response) => send(response, passing, "{}", { "content-encoding": "br" }),
  drip: (passing, response) => drip(response, passing),
  endless: (passing, response) => endless(response, passing),
  "long-json": (passing, response) => json(response, passing, { items: "x".repeat(12 * MB) }),
  deep: (passing, response) =>
    send(response, passing, `${"[".repeat(20_000)}${"]".repeat(20_000)}`, {
      "content-type": "application/json",
    }),
  "many-values": (passing, response) =>
    send(response, passing, `[${"{},".repeat(600_000)}{}]`, { "content-type": "application/json" }),
  "many-secrets": (passing, response) =>
    json(
      response,
      passing,
      Array.from({ length: 20_000 }, (_, index) => ({
        secret: `whsec_c2VjcmV0${index}`,
        access_token: `t0k${index}`,
      })),
    ),
  "word-as-secret": (passing, response) =>
    json(response, passing, { ...Object(passing.json), secret: "answered", access_token: "expected" }),
  "control-characters": (passing, response) =>
    json(
      response,
      passing,
      withTexts(passing.json, (text) => `${text}${CONTROL_CHARACTERS}${FAKE_VERDICT}`),
    ),
  "quotes-without-end": (passing, response) =>
    json(
      response,
      passing,
      withTexts(passing.json, (text) => `${text}${` 'a\\"`.repeat(MB / 256)}`),
    ),
  "repeats-without-end": (passing, response) => {
    const unit = some(REPEATED, passing.random) ?? "";
    const run = unit.repeat(MB / 16 / unit.length);
    return json(
      response,
      passing,
      withTexts(passing.json, (text) => `${text}${run}x`),
    );
  },
  "workflow-commands": (passing, response) =>
    json(
      response,
      passing,
      withTexts(passing.json, (text) => `${text}${WORKFLOW_COMMANDS}`),
    ),
  "repeats-secrets": (passing, response) =>
    json(
      response,
      { ...passing, status: 500 },
      { error: { code: "X", message: passing.secrets.slice(-6).flatMap(disguised).join(" ") } },
    ),
  "limited-for-ever": (passing, response) =>
    send(response, { ...passing, status: 429 }, "{}", { "retry-after": "0" }),
  "page-without-end": (passing, response) =>
    json(response, passing, {
      ...Object(passing.json),
      has_more: true,
      next_cursor: `again-${passing.random()}`,
    }),
  "same-cursor": (passing, response) =>
    json(response, passing, { ...Object(passing.json), has_more: true, next_cursor: "MQ" }),
  "other-times": (passing, response) => {
    const time = some(
      ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "+275760-09-13T00:00:00Z", "x"],
      passing.random,
    );
    const isTime = /^\d{4}-\d\d-\d\dT/;
    return json(
      response,
      passing,
      withTexts(passing.json, (text) => (isTime.test(text) ? (time ?? "") : text)),
    );
  },
  "numbers-without-end": (passing, response) =>
    send(response, passing, `{"expires_in":1e999,"version":-1e999,"limit":${"9".repeat(400)}}`, {
      "content-type": "application/json",
      "x-ratelimit-remaining": "1e999",
      "x-ratelimit-reset": "-Infinity",
      "retry-after": "1e999",
    }),
  "names-of-built-in-properties": (passing, response) =>
    send(response, passing, `{"__proto__":{"id":1},"constructor":{"prototype":1},"toString":1,"then":1}`, {
      "content-type": "application/json",
    }),
  reset: (_passing, response) => void response.socket?.resetAndDestroy(),
  "cut-off": ({ status }, response): undefined => {
    response.writeHead(status, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"items":');
    setTimeout(() => response.destroy(), 20);
  },
  "redirects-to-itself": (passing, response) =>
    send(response, { ...passing, status: 307 }, "", { location: "/v1/deliveries" }),
  "headers-of-megabytes": (_passing, response) =>
    rawWithoutEnd(response, "HTTP/1.1 200 OK\r\n", `x-more: ${"x".repeat(8_000)}\r\n`),
  "many-headers": (_passing, response) => {
    raw(response, `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(2_500)}content-length: 2\r\n\r\n{}`);
    return EMPTY_OBJECT;
  },
  "control-characters-in-headers": (_passing, response) =>
    raw(
      response,
      `HTTP/1.1 400 \u0080\u009b2J\r\ncontent-type: application/json\r\nretry-after: \u009b1m\r\nx-request-id: \u009b2J\u0085::error::marked\r\nset-cookie: a=b\r\nset-cookie: c=d\r\ncontent-length: 2\r\n\r\n{}`,
    ),
  "interim-answers-without-end": (_passing, response) =>
    rawWithoutEnd(response, "", "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".repeat(100)),
  "chunk-that-never-begins": (_passing, response) =>
    rawWithoutEnd(response, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;x=", "x".repeat(64_000)),
  "trailers-without-end": (_passing, response) =>
    rawWithoutEnd(
      response,
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x\r\n\r\n2\r\n{}\r\n0\r\n",
      `x: ${"x".repeat(8_000)}\r\n`,
    ),
  "two-answers": (_passing, response) => {
    raw(response, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}".repeat(2));
    return EMPTY_OBJECT;
  },
  "two-lengths": (_passing, response) =>
    raw(
      response,
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n{}",
    ),
  "another-protocol": (_passing, response) =>
    raw(response, "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
  "not-http": (_passing, response) =>
    raw(response, `\u0000\u0001SSH-2.0-x\r\n${"\u009b2J".repeat(50)}\r\n\r\n`),
  "odd-status": (passing, response) =>
    send(response, { ...passing, status: some([299, 418, 599, 999], passing.random) ?? 999 }, "{}"),
  "same-key-twice": (passing, response) =>
    send(
      response,
      passing,
      `{"id":"a","id":"b","items":[],"items":{},"__proto__":{},"error":1,"error":{"code":[]}}`,
      {
        "content-type": "application/json",
      },
    ),
  "halves-of-characters": (passing, response) =>
    json(
      response,
      passing,
      withTexts(passing.json, (text) => `${text}\ud800${text.slice(0, 1)}\udc00\u0000`),
    ),
  "byte-order-marks": (passing, response) =>
    send(response, passing, `\ufeff\ufeff${JSON.stringify(passing.json)}`, {
      "content-type": "application/json",
    }),
  "utf-16": (passing, response) =>
    send(response, passing, Buffer.from(JSON.stringify(passing.json) ?? "", "utf16le"), {
      "content-type": "application/json; charset=utf-16",
    }),
  "paths-in-ids": (passing, response) =>
    json(
      response,
      passing,
      withTexts(passing.json, (text) =>
        /^[0-9a-f-]{36}$/.test(text) ? "../../../../tmp/x\u0000\n-rf" : text,
      ),
    ),
  html: (passing, response) =>
    send(response, passing, `<script>alert(1)</script>${FAKE_VERDICT}`, { "content-type": "text/html" }),
};

export const ATTACK_NAMES: readonly string[] = Object.keys(ATTACKS);
