import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { isSilence } from "./connection-loss.ts";
import { type Connections, openConnections, sendRequest } from "./connections.ts";
import { FETCH, type HeaderProfile, PLAIN_STYLES } from "./header-profiles.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server that deals with the requests of each connection by their number on it. */
async function serverThat(deal: (socket: Socket, number: number) => void): Promise<string> {
  const server: Server = createServer((socket) => {
    let requests = 0;
    socket.on("error", () => {});
    socket.on("data", () => {
      requests += 1;
      deal(socket, requests);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}

function connectionsIn(style: HeaderProfile): Connections {
  const made = openConnections({ style });
  open.push(() => made.close());
  return made;
}

const succeed = (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");

const BOMB = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)));

const statusOf = async (over: Connections, url: string, timeoutMs = 60_000): Promise<number> =>
  (await sendRequest(over, url, { method: "POST", body: "{}" }, { timeoutMs: timeoutMs })).status;

const HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

describe.for([FETCH, ...PLAIN_STYLES.slice(0, 1)])("over $program", (style) => {
  const connections = () => connectionsIn(style);

  test("an answer of a few bytes that unfold to more than any answer is given up", async () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`;
    const url = await serverThat((socket) => socket.end(Buffer.concat([Buffer.from(head), BOMB])));
    expect(BOMB.length).toBeLessThan(5_000);
    const before = process.memoryUsage().arrayBuffers;
    await expect(statusOf(connections(), url)).rejects.toThrow("longer than 16 MB once it is decoded");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
  });

  test.for(["ended", "reset"])(
    "a kept connection that is %s instead of an answer is no answer of the server's",
    async (how) => {
      const url = await serverThat((socket, number) => {
        if (number === 1) succeed(socket);
        else if (how === "ended") socket.end();
        else socket.resetAndDestroy();
      });
      const over = connections();
      expect(await statusOf(over, url)).toBe(200);
      expect(await statusOf(over, url)).toBe(200);
    },
  );

  test.for(["ended", "reset"])("a new connection that is %s instead of an answer is", async (how) => {
    let requests = 0;
    const url = await serverThat((socket) => {
      requests += 1;
      if (how === "ended") socket.end();
      else socket.resetAndDestroy();
    });
    await expect(statusOf(connections(), url)).rejects.toThrow();
    expect(requests).toBeLessThanOrEqual(2);
  });

  test("what breaks off in the middle of an answer isn't asked for again", async () => {
    let requests = 0;
    const url = await serverThat((socket) => {
      requests += 1;
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf of it");
    });
    await expect(statusOf(connections(), url)).rejects.toThrow();
    expect(requests).toBe(1);
  });

  test("an answer that goes on and on is given up when its time is over", async () => {
    const url = await serverThat((socket) => {
      socket.write(HEAD);
      const timer = setInterval(() => socket.write("1\r\nx\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    await expect(statusOf(connections(), url, 500)).rejects.toThrow("its response didn't end within 0.5 s");
  });

  test("a server that accepts a request and never answers is distinguished from an unreachable one", async () => {
    const silent = await serverThat(() => {});
    const sending = { timeoutMs: 60_000, answerMs: 50 };
    const unheard = (url: string) =>
      sendRequest(connections(), url, {}, sending).then(() => undefined, isSilence);
    expect(await unheard(silent)).toBe(true);
    const gone = await serverThat((socket) => socket.resetAndDestroy());
    expect(await unheard(gone)).toBe(false);
  });

  test("an answer that is longer than any can be is given up", async () => {
    const megabyte = "x".repeat(1024 * 1024);
    const url = await serverThat((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(`100000\r\n${megabyte}\r\n`));
      };
      socket.write(HEAD);
      socket.on("drain", more);
      more();
    });
    await expect(statusOf(connections(), url)).rejects.toThrow("its response is longer than 16 MB");
  });

  test.for(["ended", "reset"])(
    "a request that may be sent twice is, where its new connection is %s before any answer",
    async (how) => {
      let requests = 0;
      let repeats = 0;
      const url = await serverThat((socket) => {
        requests += 1;
        if (requests > 1) succeed(socket);
        else if (how === "ended") socket.end();
        else socket.resetAndDestroy();
      });
      const sending = { timeoutMs: 60_000, isRetryable: true, onRetry: () => (repeats += 1) };
      const { status } = await sendRequest(connections(), url, { method: "GET" }, sending);
      expect([status, requests, repeats]).toEqual([200, 2, 1]);
    },
  );

  test.for([301, 302, 303, 307, 308])(
    "an answer of %d leads nowhere, a token least of all",
    async (status) => {
      let elsewhere = 0;
      const other = await serverThat((socket) => {
        elsewhere += 1;
        succeed(socket);
      });
      const url = await serverThat((socket) =>
        socket.write(`HTTP/1.1 ${status} Moved\r\nlocation: ${other}\r\ncontent-length: 0\r\n\r\n`),
      );
      const headers = { authorization: "Bearer a-token" };
      const over = connections();
      for (const method of ["GET", "POST"]) {
        const answer = await sendRequest(over, url, { method, headers }, { timeoutMs: 5_000 });
        expect(answer.status).toBe(status);
      }
      expect(elsewhere).toBe(0);
    },
  );

  test.for<[string, string]>([
    ["changes to another protocol", "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["isn't HTTP", "SSH-2.0-x\r\n"],
    ["has two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}"],
    ["has headers of megabytes", `HTTP/1.1 200 OK\r\n${`a: ${"x".repeat(8_000)}\r\n`.repeat(200)}\r\n`],
  ])("an answer that %s is none, and ends at once", async ([, bytes]) => {
    const url = await serverThat((socket) => socket.write(bytes));
    const sending = sendRequest(connections(), url, {}, { timeoutMs: 60_000 });
    await expect(sending).rejects.toThrow();
  });

  test.for<[string, string]>([
    ["100", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["102", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["103", "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n"],
    [
      "100 without a word, then 103, then 100",
      "HTTP/1.1 100\r\n\r\nHTTP/1.1 103 x\r\na: b\r\n\r\nHTTP/1.1 100 x\r\n\r\n",
    ],
  ])("an interim response %s before each answer is passed over", async ([, interim]) => {
    let requests = 0;
    const url = await serverThat((socket) => {
      requests += 1;
      socket.write(interim);
      succeed(socket);
    });
    const over = connections();
    for (const method of ["POST", "GET", "POST"]) {
      const answer = await sendRequest(over, url, { method }, { timeoutMs: 60_000 });
      expect([answer.status, Buffer.from(answer.bytes).toString()]).toEqual([200, "ok"]);
    }
    expect(requests).toBe(3);
  });

  test("an interim response that comes byte by byte is passed over", async () => {
    const url = await serverThat((socket) => {
      socket.setNoDelay(true);
      const bytes = [..."HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"];
      const next = () => {
        const byte = bytes.shift();
        if (byte !== undefined) socket.write(byte, () => setImmediate(next));
      };
      next();
    });
    const over = connections();
    expect(await statusOf(over, url)).toBe(200);
    expect(await statusOf(over, url)).toBe(200);
  });

  test("a body that reads like an interim response is a body", async () => {
    const text = "HTTP/1.1 100 Continue\r\n\r\nok";
    const url = await serverThat((socket) => {
      socket.setNoDelay(true);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n`, () =>
        setImmediate(() => socket.write(text)),
      );
    });
    const { bytes } = await sendRequest(connections(), url, {}, { timeoutMs: 60_000 });
    expect(Buffer.from(bytes).toString()).toBe(text);
  });

  test("interim answers without end are given up when their time is over", async () => {
    const url = await serverThat((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write("HTTP/1.1 103 Early\r\n\r\n".repeat(100)));
      };
      socket.on("drain", more);
      more();
    });
    await expect(statusOf(connections(), url, 500)).rejects.toThrow("its response didn't end within 0.5 s");
  });
});
