/** Hostile clients for `client`: each attacks the sandbox that grades it. */
import { textMember } from "../../../../suites/core/json.ts";
import { CONTROL_CHARACTERS, disguised, FAKE_VERDICT, REPEATED, WORKFLOW_COMMANDS } from "./attacks.ts";
import type { ClientActions } from "./client-play.ts";

export type HostileClient = (play: ClientActions) => Promise<void>;

const MB = 1024 * 1024;
const times = async (
  count: number,
  { isOver }: ClientActions,
  act: (index: number) => Promise<unknown>,
  atOnce = 16,
) => {
  let next = 0;
  const work = async () => {
    while (next < count && !isOver()) {
      const index = next;
      next += 1;
      await act(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

const post = (play: ClientActions, body: string | Buffer) =>
  play.send("POST", "/v1/deliveries", body, {
    "content-type": "application/json",
    "idempotency-key": `hostile-${play.random()}`,
  });
const head = (line: string, ...headers: readonly string[]) =>
  [line, "host: x", ...headers, "", ""].join("\r\n");
const POST = "POST /v1/deliveries HTTP/1.1";
const CHUNKED = "transfer-encoding: chunked";

export const CLIENTS: Readonly<Record<string, HostileClient>> = {
  smuggles: async ({ raw }) => {
    const hidden = head("DELETE /v1/webhooks/x HTTP/1.1");
    for (const headers of [
      ["content-length: 4", CHUNKED],
      ["content-length: 4", "content-length: 400"],
      ["transfer-encoding: xchunked", "content-length: 4"],
      ["transfer-encoding : chunked", "content-length: 4"],
      [" folded: x", "content-length: 4"],
      ["content-length: +4"],
      ["x: a\nb: c", "content-length: 4"],
    ])
      await raw(head(POST, ...headers), "0\r\n\r\n", hidden);
    for (const line of [
      "GET http://127.0.0.1:1/v1/deliveries HTTP/1.1",
      "GET //127.0.0.1:1/v1/deliveries HTTP/1.1",
      "CONNECT 127.0.0.1:1 HTTP/1.1",
      "OPTIONS * HTTP/1.1",
      "GET /v1/deliveries",
      "PRI * HTTP/2.0",
      "\u0016\u0003\u0001\u0002",
    ])
      await raw(head(line, "upgrade: websocket", "connection: upgrade"), hidden);
  },
  "headers-without-end": async ({ raw }) => {
    await raw(`${POST}\r\n`, ...Array<string>(4_000).fill(`x-more: ${"x".repeat(8_000)}\r\n`));
    await raw(`GET /${"x".repeat(20 * MB)} HTTP/1.1\r\n`);
    await raw(head(POST, CHUNKED), "1;x=", ...Array<string>(4_000).fill("x".repeat(8_000)));
    await raw(
      head(POST, CHUNKED),
      "2\r\n{}\r\n0\r\n",
      ...Array<string>(4_000).fill(`x: ${"x".repeat(8_000)}\r\n`),
    );
  },
  "bodies-of-200-MB": async ({ raw }) => {
    const piece = Buffer.alloc(MB, 0x20);
    await raw(head(POST, `content-length: ${200 * MB}`), ...Array<Buffer>(200).fill(piece));
    await raw(head(POST, CHUNKED), ...Array<string>(200).fill(`100000\r\n${piece}\r\n`));
  },
  "large-headers": (play) =>
    times(10_000, play, (index) =>
      play.send("GET", `/v1/${index}?${"q".repeat(6_000)}`, undefined, { "x-more": "x".repeat(8_000) }),
    ),
  "bodies-to-the-limit": (play) => times(200, play, () => post(play, JSON.stringify("x".repeat(MB)))),
  "many-values": (play) => times(400, play, () => post(play, `[${"{},".repeat(240_000)}{}]`), 4),
  deep: async (play) => {
    for (const levels of [199, 20_000, 500_000])
      await post(play, `${"[".repeat(levels)}${"]".repeat(levels)}`);
    await post(play, `${'{"a":'.repeat(199)}1${"}".repeat(199)}`);
  },
  "bad-utf-8": async (play) => {
    const order = JSON.stringify(play.order({ notes: "NOTE" }));
    for (const bytes of ["ff", "c080", "eda080", "f4908080", "00", "efbbbf"]) {
      const [before, behind] = order.split("NOTE");
      await post(
        play,
        Buffer.concat([Buffer.from(`${before}`), Buffer.from(bytes, "hex"), Buffer.from(`${behind}`)]),
      );
    }
    await post(play, Buffer.from(order, "utf16le"));
    await post(play, order.replace("NOTE", "\\ud800\\u0000"));
  },
  "names-of-built-in-properties": async (play) => {
    const polluted = `{"__proto__":{"id":1,"test":true},"constructor":{"prototype":{"id":1}},"toString":1,"then":1}`;
    await post(play, polluted);
    await post(play, JSON.stringify(play.order({ customer: "X", dropoff: "X" })).replaceAll('"X"', polluted));
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      await play.send("GET", `/v1/deliveries/${name}?${name}=${name}`, undefined, { [name]: name });
      await play.send("GET", `/v1/stores/${name}`);
      await post(play, JSON.stringify(play.order({ external_ref: name, [name]: name })));
    }
  },
  "other-values": async (play) => {
    for (const value of [
      '{"toString":1}',
      "1e999",
      "-0",
      `${"9".repeat(400)}`,
      '"+275760-09-13T00:00:00Z"',
      "null",
      "[[]]",
    ]) {
      const order = JSON.stringify(
        play.order({ ready_at: "X", package_count: "X", external_ref: "X", items: "X" }),
      );
      await post(play, order.replaceAll('"X"', value));
      await play.send(
        "POST",
        "/oauth/token",
        `{"client_id":${value},"client_secret":${value},"grant_type":${value}}`,
        {
          "content-type": "application/json",
        },
      );
    }
  },
  "slow-connections": async (play) => {
    await times(3_000, play, (index) =>
      play.hold(index % 2 === 0 ? `${POST}\r\nhost: x\r\nx` : head(POST, "content-length: 10")),
    );
    await post(play, JSON.stringify(play.order()));
  },
  "giant-tokens": (play) =>
    times(10_000, play, (index) =>
      play.send("GET", "/v1/deliveries", undefined, {
        authorization: `Bearer ${index}${"t".repeat(12_000)}${index}`,
      }),
    ),
  "many-secrets": (play) =>
    times(5_000, play, (index) =>
      play.send(
        "POST",
        "/oauth/token",
        JSON.stringify({ client_id: `a${index}`, client_secret: `secret-${index}-${play.random()}` }),
        {
          "content-type": "application/json",
          authorization: `Bearer token-${index}-${play.random()}`,
        },
      ),
    ),
  "word-as-secret": async (play) => {
    for (const word of ["expected", "answered", "NONCONFORMANT", "a"])
      await play.send("GET", "/v1/deliveries", undefined, { authorization: `Bearer ${word}` });
  },
  "repeats-secrets": async (play) => {
    const notes = play.secrets.flatMap(disguised);
    for (const note of notes) {
      await post(play, JSON.stringify(play.order({ notes: note, package_count: 99 })));
      await play.send("GET", `/v1/deliveries/${encodeURIComponent(note)}?q=${encodeURIComponent(note)}`);
    }
    await post(play, JSON.stringify({ log: notes }));
  },
  "control-characters-and-commands": async (play) => {
    const text = `${CONTROL_CHARACTERS}${FAKE_VERDICT}${WORKFLOW_COMMANDS}`;
    await post(play, JSON.stringify(play.order({ notes: text, external_ref: text, [text]: text })));
    await post(play, text);
    await play.send(
      "GET",
      `/v1/deliveries/${encodeURIComponent(text)}?${encodeURIComponent(text)}=${encodeURIComponent(text)}`,
    );
    await play.raw(
      head(
        `GET /\u009b2J\u0085::error::x HTTP/1.1`,
        "x-more: \u009b2J\u0085::error::marked",
        "user-agent: \u009b1m",
      ),
    );
    for (const unit of REPEATED)
      await post(play, JSON.stringify(play.order({ notes: unit.repeat(MB / 16 / unit.length) })));
  },
  floods: (play) => times(60_000, play, () => play.send("GET", "/healthz"), 64),
  "large-answers": async (play) => {
    const items = Array.from({ length: 200 }, () => ({ name: "x".repeat(200), quantity: 1, total: 1 }));
    let id: string | undefined;
    // The sandbox refuses a client's first orders, or drops the responses to them.
    await times(
      40,
      play,
      async () => {
        id ??= textMember(await post(play, JSON.stringify(play.order({ items }))), "id");
      },
      1,
    );
    if (id !== undefined) await times(5_000, play, () => play.send("GET", `/v1/deliveries/${id}`));
  },
  "leaves-in-the-middle": (play) =>
    times(500, play, async () => play.hold(head(POST, "content-length: 1000"))),
};
