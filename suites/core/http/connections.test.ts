import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { isSilence } from "./connection-loss.ts";
import { type Connections, openConnections, sendRequest } from "./connections.ts";
import { FETCH_PROFILE, type HeaderProfile, PLAIN_STYLES } from "./header-profiles.ts";
import { UnreadableResponse } from "./unreadable-response.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server with this handler for each request, which gets the request's number on its connection. */
async function serverWith(handle: (socket: Socket, number: number) => void): Promise<string> {
  const server: Server = createServer((socket) => {
    let requests = 0;
    socket.on("error", () => {});
    socket.on("data", () => {
      requests += 1;
      handle(socket, requests);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}

function connectionsIn(style: HeaderProfile): Connections {
  const opened = openConnections({ style });
  open.push(() => opened.close());
  return opened;
}

const succeed = (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");

const BOMB = gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)));

const statusOf = async (connection: Connections, url: string, timeoutMs = 60_000): Promise<number> =>
  (await sendRequest(connection, url, { method: "POST", body: "{}" }, { timeoutMs })).status;

const HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

describe.for([FETCH_PROFILE, ...PLAIN_STYLES.slice(0, 1)])("over $program", (style) => {
  const connections = () => connectionsIn(style);

  test("spaces and tabs around a header value aren't part of it", async () => {
    const head = "HTTP/1.1 200 OK\r\nx-ratelimit-reset: \t 8 \t \r\ncontent-length: 2\r\n\r\nok";
    const url = await serverWith((socket) => socket.write(head));
    const { headers } = await sendRequest(connections(), url, {}, { timeoutMs: 60_000 });
    expect(headers["x-ratelimit-reset"]).toBe("8");
  });

  test("a compressed response that decompresses to more than the limit is rejected", async () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`;
    const url = await serverWith((socket) => socket.end(Buffer.concat([Buffer.from(head), BOMB])));
    expect(BOMB.length).toBeLessThan(5_000);
    const before = process.memoryUsage().arrayBuffers;
    await expect(statusOf(connections(), url)).rejects.toThrow("longer than 16 MB once it is decoded");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 1024 * 1024);
  });

  test.for(["ended", "reset"])(
    "a request on a reused connection that is %s without a response is repeated",
    async (ending) => {
      const url = await serverWith((socket, number) => {
        if (number === 1) succeed(socket);
        else if (ending === "ended") socket.end();
        else socket.resetAndDestroy();
      });
      const connection = connections();
      expect(await statusOf(connection, url)).toBe(200);
      expect(await statusOf(connection, url)).toBe(200);
    },
  );

  test.for(["ended", "reset"])(
    "a request on a new connection that is %s without a response fails",
    async (ending) => {
      let requests = 0;
      const url = await serverWith((socket) => {
        requests += 1;
        if (ending === "ended") socket.end();
        else socket.resetAndDestroy();
      });
      await expect(statusOf(connections(), url)).rejects.toThrow();
      expect(requests).toBeLessThanOrEqual(2);
    },
  );

  test("a request whose response breaks off isn't repeated", async () => {
    let requests = 0;
    const url = await serverWith((socket) => {
      requests += 1;
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf of it");
    });
    await expect(statusOf(connections(), url)).rejects.toThrow();
    expect(requests).toBe(1);
  });

  test.for<[string, string, string]>([
    ["a whole body", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole", "whole"],
    ["a body that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf of it", "half of it"],
    ["a body that doesn't end in time", `${HEAD}4\r\npart\r\n`, "part"],
  ])("%s is handed on as soon as it has arrived", async ([name, response, body]) => {
    const url = await serverWith((socket) => {
      socket.write(response);
      if (name.endsWith("off")) socket.end();
    });
    const bodies: string[] = [];
    const onBody = (bytes: Uint8Array) => void bodies.push(Buffer.from(bytes).toString());
    await sendRequest(connections(), url, {}, { timeoutMs: 500, onBody }).catch(() => {});
    expect(bodies).toEqual([body]);
  });

  test("a response that doesn't end is given up after the time limit", async () => {
    const url = await serverWith((socket) => {
      socket.write(HEAD);
      const timer = setInterval(() => socket.write("1\r\nx\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    await expect(statusOf(connections(), url, 500)).rejects.toThrow("its response didn't end within 0.5 s");
  });

  test("a server that never responds is distinguished from one that closes the connection", async () => {
    const silent = await serverWith(() => {});
    const sending = { timeoutMs: 60_000, answerMs: 50 };
    const isSilent = (url: string) =>
      sendRequest(connections(), url, {}, sending).then(() => undefined, isSilence);
    expect(await isSilent(silent)).toBe(true);
    const gone = await serverWith((socket) => socket.resetAndDestroy());
    expect(await isSilent(gone)).toBe(false);
  });

  test("a response above the size limit is rejected", async () => {
    const megabyte = "x".repeat(1024 * 1024);
    const url = await serverWith((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(`100000\r\n${megabyte}\r\n`));
      };
      socket.write(HEAD);
      socket.on("drain", more);
      more();
    });
    await expect(statusOf(connections(), url)).rejects.toThrow(
      new UnreadableResponse("its response is longer than 16 MB"),
    );
  });

  test.for(["ended", "reset"])(
    "a retryable request is repeated if its new connection is %s before any response",
    async (ending) => {
      let requests = 0;
      let repeats = 0;
      const url = await serverWith((socket) => {
        requests += 1;
        if (requests > 1) succeed(socket);
        else if (ending === "ended") socket.end();
        else socket.resetAndDestroy();
      });
      const sending = { timeoutMs: 60_000, isRetryable: true, onRetry: () => (repeats += 1) };
      const { status } = await sendRequest(connections(), url, { method: "GET" }, sending);
      expect([status, requests, repeats]).toEqual([200, 2, 1]);
    },
  );

  test.for([301, 302, 303, 307, 308])("a redirect with %d isn't followed", async (status) => {
    let redirected = 0;
    const other = await serverWith((socket) => {
      redirected += 1;
      succeed(socket);
    });
    const url = await serverWith((socket) =>
      socket.write(`HTTP/1.1 ${status} Moved\r\nlocation: ${other}\r\ncontent-length: 0\r\n\r\n`),
    );
    const headers = { authorization: "Bearer a-token" };
    const connection = connections();
    for (const method of ["GET", "POST"]) {
      const answer = await sendRequest(connection, url, { method, headers }, { timeoutMs: 5_000 });
      expect(answer.status).toBe(status);
    }
    expect(redirected).toBe(0);
  });

  test.for<[string, string]>([
    ["changes to another protocol", "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["isn't HTTP", "SSH-2.0-x\r\n"],
    ["has two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}"],
    ["has headers of megabytes", `HTTP/1.1 200 OK\r\n${`a: ${"x".repeat(8_000)}\r\n`.repeat(200)}\r\n`],
  ])("a response that %s fails at once", async ([, bytes]) => {
    const url = await serverWith((socket) => socket.write(bytes));
    const sending = sendRequest(connections(), url, {}, { timeoutMs: 60_000 });
    await expect(sending).rejects.toThrow();
  });

  test.for<[string, string]>([
    ["100", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["102", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["103", "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n"],
    [
      "100 without a reason phrase, then 103, then 100",
      "HTTP/1.1 100\r\n\r\nHTTP/1.1 103 x\r\na: b\r\n\r\nHTTP/1.1 100 x\r\n\r\n",
    ],
  ])("an interim response %s before each response is ignored", async ([, interim]) => {
    let requests = 0;
    const url = await serverWith((socket) => {
      requests += 1;
      socket.write(interim);
      succeed(socket);
    });
    const connection = connections();
    for (const method of ["POST", "GET", "POST"]) {
      const answer = await sendRequest(connection, url, { method }, { timeoutMs: 60_000 });
      expect([answer.status, Buffer.from(answer.bytes).toString()]).toEqual([200, "ok"]);
    }
    expect(requests).toBe(3);
  });

  test("an interim response that arrives byte by byte is ignored", async () => {
    const url = await serverWith((socket) => {
      socket.setNoDelay(true);
      const bytes = [..."HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"];
      const next = () => {
        const byte = bytes.shift();
        if (byte !== undefined) socket.write(byte, () => setImmediate(next));
      };
      next();
    });
    const connection = connections();
    expect(await statusOf(connection, url)).toBe(200);
    expect(await statusOf(connection, url)).toBe(200);
  });

  test("a body that looks like an interim response is read as a body", async () => {
    const text = "HTTP/1.1 100 Continue\r\n\r\nok";
    const url = await serverWith((socket) => {
      socket.setNoDelay(true);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n`, () =>
        setImmediate(() => socket.write(text)),
      );
    });
    const { bytes } = await sendRequest(connections(), url, {}, { timeoutMs: 60_000 });
    expect(Buffer.from(bytes).toString()).toBe(text);
  });

  test("endless interim responses are given up after the time limit", async () => {
    const url = await serverWith((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write("HTTP/1.1 103 Early\r\n\r\n".repeat(100)));
      };
      socket.on("drain", more);
      more();
    });
    await expect(statusOf(connections(), url, 500)).rejects.toThrow("its response didn't end within 0.5 s");
  });
});
