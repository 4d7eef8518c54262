import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openAnswersOf } from "./open-answers.ts";

/** A server with this answer, and a connection on which a request has arrived. */
async function asked(answer: (response: ServerResponse) => void): Promise<[Socket, () => Promise<boolean>]> {
  const server = createServer();
  const isAnswering = openAnswersOf(server);
  server.on("request", (_request, response) => answer(response));
  const failed = once(server, "clientError");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  const client = connect(address.port, "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  /** Sends invalid HTTP. @returns whether an answer was in progress when the server noticed */
  const breakOff = async () => {
    client.write("no request\r\n\r\n");
    const [, socket] = await failed;
    return isAnswering(socket);
  };
  return [client, breakOff];
}

test("an answer is in progress once its head is sent", async () => {
  const [client, breakOff] = await asked((response) => response.write("the first half"));
  await once(client, "data");
  expect(await breakOff()).toBe(true);
});

test("no answer is in progress before its head is sent", async () => {
  const { promise: came, resolve: comes } = Promise.withResolvers<void>();
  const [, breakOff] = await asked(() => comes());
  await came;
  expect(await breakOff()).toBe(false);
});

test("no answer is in progress after its end", async () => {
  const [client, breakOff] = await asked((response) => response.end("all of it"));
  await once(client, "data");
  expect(await breakOff()).toBe(false);
});

test("a complete answer that waits for an earlier one isn't in progress", async () => {
  const responses: ServerResponse[] = [];
  const { promise: bothCame, resolve } = Promise.withResolvers<void>();
  const [client, breakOff] = await asked((response) => {
    if (responses.push(response) === 2) {
      response.end("the second");
      resolve();
    }
  });
  client.write("GET /second HTTP/1.1\r\nHost: x\r\n\r\n");
  await bothCame;
  expect(responses[1]?.headersSent).toBe(true);
  expect(await breakOff()).toBe(false);
});
