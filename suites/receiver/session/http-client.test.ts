import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { HttpClient } from "./http-client.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Posts to a server that responds with these bytes. */
async function postTo(bytes: string): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const client = new HttpClient(`http://127.0.0.1:${port}/hooks`);
  open.push(
    () => server.close(),
    () => client.close(),
  );
  return client.post({}, [Buffer.from("{}")], { timeoutMs: 5_000 });
}

test.each([
  [`HTTP/1.1 200 OK\r\nX-Debug: ${"a".repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`, /longer than 16 kB/],
  ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", /Content-Length twice/],
  ["hello\r\n\r\n", /isn't HTTP/],
  [
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    /another protocol/,
  ],
])("an answer that can't be read is named for what it is: %#", async (bytes, named) => {
  await expect(postTo(bytes)).rejects.toThrow(named);
});
