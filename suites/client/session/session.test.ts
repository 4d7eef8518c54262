import { createServer } from "node:http";
import { afterEach, expect, test } from "vitest";
import { Redactor } from "../../core/text/redact.ts";
import { ClientSession } from "./session.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A service that answers all alike. */
async function aService() {
  const server = createServer((_, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url, control: { url, token: "control-token-of-the-test" }, close };
}

test("a connection outlasts the longest wait of a client that keeps it", async () => {
  const session = await ClientSession.open({
    port: 0,
    scenarios: [],
    seed: 1,
    timeScale: 1,
    redact: new Redactor(),
    notice: () => {},
    startService: aService,
  });
  open.push(() => session.close());
  const { headers } = await fetch(`${session.url}/healthz`);
  const [, seconds] = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "") ?? [];
  // A minute is the longest that a client waits between two tries (Retry rules).
  expect(Number(seconds)).toBeGreaterThan(60);
});
