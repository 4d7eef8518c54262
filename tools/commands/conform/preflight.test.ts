import { createServer, type RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import { Redactor } from "../../../suites/core/text/redact.ts";
import {
  DEFAULT_POINT,
  LOOPBACK_RECEIVER,
  type TargetSettings,
} from "../../../suites/server/session/settings.ts";
import { preflight } from "./preflight.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const CONTROL_TOKEN = "control-token-of-the-test";
const SECRET = "client-secret-of-the-test";

async function hostileTarget(respond: RequestListener, answerMs = 10_000): Promise<TargetSettings> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return {
    url,
    credentials: [{ client_id: "pos", client_secret: SECRET }],
    pairingCodes: [],
    control: { url: `${url}/control`, token: CONTROL_TOKEN },
    receiver: LOOPBACK_RECEIVER,
    point: DEFAULT_POINT,
    answerMs,
    patienceMs: 0,
  };
}

function redactorOf(target: TargetSettings): Redactor {
  const redact = new Redactor();
  redact.add(target.control?.token, ...target.credentials.map(({ client_secret }) => client_secret));
  return redact;
}

/** Answers a byte at a time, often enough that none of them is late. */
const drip: RequestListener = (request, response) => {
  request.resume();
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

test("a health endpoint that drips without an end is given up", async () => {
  const target = await hostileTarget(drip, 150);
  await expect(preflight(target, redactorOf(target))).rejects.toThrow(
    /healthz can't be certified: its answer didn't end/,
  );
});

test("answers that each come in time come to an end together", async () => {
  const slow = await hostileTarget((request, response) => {
    request.resume();
    if (request.url !== "/healthz") return drip(request, response);
    setTimeout(() => response.end("{}"), 100);
  }, 150);
  const url = slow.control?.url ?? "";
  const target = { ...slow, answerMs: 150, control: { url, token: CONTROL_TOKEN } };
  await expect(preflight(target, redactorOf(target))).rejects.toThrow(/can't be (used|certified)/);
});

test("a body without an end is given up, however fast it comes", async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 0x20);
  const target = await hostileTarget((request, response) => {
    request.resume();
    const more = () => {
      while (!response.destroyed && response.write(megabyte));
    };
    response.on("drain", more);
    more();
  });
  await expect(preflight(target, redactorOf(target))).rejects.toThrow("its answer is longer than 16 MB");
});

test("a person who interrupts is heard", async () => {
  let asked = () => {};
  const interrupted = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const target = await hostileTarget((request, response) => {
    asked();
    drip(request, response);
  });
  await expect(preflight(target, redactorOf(target), interrupted)).rejects.toThrow(
    "interrupted before the run began",
  );
});

test("a control interface that repeats what it was sent shows no token", async () => {
  const target = await hostileTarget((request, response) => {
    request.resume();
    if (request.url === "/healthz") response.end("{}");
    else response.writeHead(403).end(`you sent ${request.headers.authorization}`);
  });
  // Only the control client's own redactor is told here.
  await expect(preflight(target, new Redactor())).rejects.toThrow(
    /answered 403 to describeControl: you sent Bearer \[redacted\]/,
  );
});

test("tokens are known from the moment they are given out", async () => {
  const target = await hostileTarget((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    if (request.url === "/oauth/token") response.end(JSON.stringify({ access_token: "token-1-of-the-test" }));
    else response.end(JSON.stringify({ operations: [], version: "1".repeat(5_000) }));
  });
  const redact = redactorOf(target);
  expect(await preflight(target, redact)).toMatchObject({
    version: undefined,
    tokens: ["token-1-of-the-test"],
  });
  expect(redact.text("a token-1-of-the-test")).toBe("a [redacted]");
});
