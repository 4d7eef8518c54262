import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { startBoundedProxy } from "./bounded-proxy.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of open.splice(0).reverse()) await close();
});

/** The proxy's response for a target with this response. */
async function responseThroughProxy(answer: (response: ServerResponse) => void): Promise<Response> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => server.closeAllConnections(),
  );
  const address = server.address();
  const target = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const proxy = await startBoundedProxy({ target, answerMs: 60_000, onBody: () => {} });
  open.push(() => proxy.close());
  return fetch(`${proxy.url}/v1/stores?a=b`, { method: "POST", body: "{}" });
}

test("a response is forwarded", async () => {
  const answer = await responseThroughProxy((response) =>
    response.writeHead(201, { "x-more": "a" }).end('{"id":1}'),
  );
  expect([answer.status, answer.headers.get("x-more"), await answer.text()]).toEqual([201, "a", '{"id":1}']);
});

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(1024 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ["an endless", endless, /^its response is longer than 16 MB$/],
  ["a long", (response) => response.end(" ".repeat(3 * 1024 * 1024)), /^its response is longer than 2 MB$/],
  ["a deep", (response) => response.end("[".repeat(300)), /nested more than 200 levels deep/],
])("%s response becomes a 502 with the reason", async (_, answer, reason) => {
  const response = await responseThroughProxy(answer);
  expect([response.status, await response.text()]).toEqual([502, expect.stringMatching(reason)]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ["no", () => {}],
  ["an unfinished", (response) => response.write("{")],
])("%s response becomes a 502 once its time is up", async (_, answer) => {
  const time = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(time.signal);
  const response = await responseThroughProxy((answering) => {
    answer(answering);
    time.abort();
  });
  expect([response.status, await response.text()]).toEqual([502, "its response didn't end within 60 s"]);
});
