import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ReceiptWatch } from "./receipt.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const REQUEST = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

function nextResponse(server: Server): Promise<ServerResponse> {
  return new Promise((resolve) => server.once("request", (_, outgoing) => resolve(outgoing)));
}

/** A client that has sent a request, and the response to be sent. */
async function requested() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(() => server.close());
  const address = server.address();
  const client = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  open.push(() => client.destroy());
  client.write(REQUEST);
  const outgoing = await nextResponse(server);
  const unread: string[] = [];
  const watch = new ReceiptWatch();
  const send = (to: ServerResponse, name: string) =>
    watch.send(to, Buffer.from("{}"), () => void unread.push(name));
  return { server, client, outgoing, unread, send };
}

const closed = (socket: Socket | null) =>
  new Promise<void>((resolve) => {
    if (socket === null || socket.destroyed) resolve();
    else socket.once("close", () => resolve());
  });
const twoPolls = () =>
  new Promise<void>((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));

test("a response to a connection that the client has closed is unread", async () => {
  const { client, outgoing, unread, send } = await requested();
  client.destroy();
  await closed(outgoing.socket);
  send(outgoing, "late");
  expect(unread).toEqual(["late"]);
});

test("a response that is sent before the client's close is noticed is unread", async () => {
  const { client, outgoing, unread, send } = await requested();
  client.destroy();
  await once(client, "close");
  send(outgoing, "late");
  await twoPolls();
  expect(unread).toEqual(["late"]);
});

test("a response that arrives before the client closes, and that it doesn't read, is unread", async () => {
  const { client, outgoing, unread, send } = await requested();
  const { socket } = outgoing;
  send(outgoing, "left");
  client.destroy();
  await closed(socket);
  expect(unread).toEqual(["left"]);
});

test("a response that the client reads before it closes is read", async () => {
  const { client, outgoing, unread, send } = await requested();
  const { socket } = outgoing;
  send(outgoing, "read");
  await once(client, "data");
  client.destroy();
  await closed(socket);
  await twoPolls();
  expect(unread).toEqual([]);
});

test("a response stays read if the client closes without reading the next one", async () => {
  const { server, client, outgoing, unread, send } = await requested();
  const { socket } = outgoing;
  send(outgoing, "read");
  await once(client, "data");
  client.write(REQUEST);
  send(await nextResponse(server), "left");
  client.destroy();
  await closed(socket);
  expect(unread).toEqual(["left"]);
});
