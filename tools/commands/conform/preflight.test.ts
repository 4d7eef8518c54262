import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { Redactor } from "../../../suites/core/text/redact.ts";
import {
  DEFAULT_POINT,
  LOOPBACK_RECEIVER,
  type TargetSettings,
} from "../../../suites/server/session/sample-data/settings.ts";
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
    maxWaitMs: 0,
  };
}

function redactorOf(target: TargetSettings): Redactor {
  const redact = new Redactor();
  redact.add(target.control?.token, ...target.credentials.map(({ client_secret }) => client_secret));
  return redact;
}

/** Sends one byte at a time. Each byte arrives before the timeout. */
const drip: RequestListener = (request, response) => {
  request.resume();
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

test("a health response that trickles forever is given up", async () => {
  const target = await hostileTarget(drip, 150);
  await expect(preflight(target, redactorOf(target))).rejects.toThrow(
    /healthz can't be certified: its response didn't end/,
  );
});

test("the total time of responses is limited, even if each is in time", async () => {
  const slow = await hostileTarget((request, response) => {
    request.resume();
    if (request.url !== "/healthz") return drip(request, response);
    setTimeout(() => response.end("{}"), 100);
  }, 150);
  const url = slow.control?.url ?? "";
  const target = { ...slow, answerMs: 150, control: { url, token: CONTROL_TOKEN } };
  await expect(preflight(target, redactorOf(target))).rejects.toThrow(/can't be (used|certified)/);
});

test("an endless body is given up, however fast it arrives", async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 0x20);
  const target = await hostileTarget((request, response) => {
    request.resume();
    const more = () => {
      while (!response.destroyed && response.write(megabyte));
    };
    response.on("drain", more);
    more();
  });
  await expect(preflight(target, redactorOf(target))).rejects.toThrow("its response is longer than 16 MB");
});

test("an interruption by the user ends the preflight", async () => {
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

test("a control interface that returns the request's token doesn't leak it", async () => {
  const target = await hostileTarget((request, response) => {
    request.resume();
    if (request.url === "/healthz") response.end("{}");
    else response.writeHead(403).end(`you sent ${request.headers.authorization}`);
  });
  // Here, only the control client gets a redactor.
  await expect(preflight(target, new Redactor())).rejects.toThrow(
    /responded to describeControl with 403: you sent Bearer \[redacted\]/,
  );
});

test("tokens are redacted from the moment they are issued", async () => {
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

describe("a redirecting address is refused with the address to use, and the redirect isn't followed", () => {
  const redirecting =
    (status: number, to: (path: string) => string | undefined): RequestListener =>
    (request, response) => {
      request.resume();
      const location = to(request.url ?? "");
      response.writeHead(status, {
        "content-type": "text/html",
        ...(location !== undefined && { location }),
      });
      response.end("<html><h1>Moved</h1></html>");
    };
  const told = async (respond: RequestListener) => {
    const target = await hostileTarget(respond);
    const problem: unknown = await preflight(target, redactorOf(target)).catch((error: unknown) => error);
    return { url: target.url, problem: String(problem) };
  };

  test("to https on all paths; the suggested address has no user and no query", async () => {
    const { url, problem } = await told(
      redirecting(301, (path) => `https://user:pass-1@dispatch.example/api${path}?key=key-1#part`),
    );
    expect(problem).toBe(
      `UsageError: ${url} can't be certified: POST /oauth/token returns 301 and points to https://dispatch.example/api: give this URL as --url`,
    );
  });

  test("to an address that isn't followed", async () => {
    const asked: string[] = [];
    const other = await hostileTarget((request, response) => {
      asked.push(request.url ?? "");
      response.end("{}");
    });
    const { problem } = await told(redirecting(308, (path) => `${other.url}${path}`));
    expect(problem).toContain(`returns 308 and points to ${other.url}: give this URL as --url`);
    expect(asked).toEqual([]);
  });

  test.each<[string, string | undefined, RegExp]>([
    [
      "a page to sign in",
      "/login?next=x",
      /points to http:\/\/127\.0\.0\.1:\d+\/login\. The suite doesn't follow redirects/,
    ],
    [
      "the same address",
      "/oauth/token?again",
      /points to http:\S+\/oauth\/token\. The suite doesn't follow redirects/,
    ],
    ["a scheme of its own", "app://dispatch/oauth/token", /gives no valid target/],
    [
      "nowhere",
      undefined,
      /returns 302 and gives no valid target\. The suite doesn't follow redirects. Is --url the base/,
    ],
  ])("to %s: no address is suggested", async (_, location, words) => {
    const { problem } = await told(redirecting(302, () => location));
    expect(problem).toMatch(words);
    expect(problem).not.toContain("give this URL");
  });

  test("before the first request to the control interface, which may redirect too", async () => {
    const { problem } = await told((request, response) => {
      request.resume();
      if (request.url === "/healthz") response.end("{}");
      else response.writeHead(307, { location: `https://dispatch.example${request.url}` }).end();
    });
    expect(problem).toContain("points to https://dispatch.example: give this URL as --url");
  });
});

test("a token request without a response is sent once more", async () => {
  let asked = 0;
  const target = await hostileTarget((request, response) => {
    const isForToken = request.url === "/oauth/token";
    if (isForToken) asked += 1;
    if (isForToken && asked === 1) return void request.socket.destroy();
    const body = { access_token: "a-token-of-the-test", operations: [], version: "2026-01-01" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  expect((await preflight(target, redactorOf(target))).tokens).toEqual(["a-token-of-the-test"]);
  expect(asked).toBe(2);
});

describe("a response of the token endpoint", () => {
  const answering = (status: number, type: string, body: string) =>
    hostileTarget((request, response) => {
      request.resume();
      const isToken = request.url?.endsWith("/oauth/token") ?? false;
      response.writeHead(isToken ? status : 200, { "content-type": isToken ? type : "application/json" });
      response.end(isToken ? body : "{}");
    });

  test("that requires a token: the message names the address to use", async () => {
    const refusal = JSON.stringify({ error: { code: "KIMLIK_YOK", message: "-" } });
    const target = await answering(401, "application/json", refusal);
    const below = { ...target, url: `${target.url}/v1` };
    await expect(preflight(below, redactorOf(target))).rejects.toThrow(
      `Give the base URL without /v1: --url ${target.url}`,
    );
  });

  test("in JSON declared as HTML is accepted as the service's", async () => {
    const given = JSON.stringify({ access_token: "token-of-the-test" });
    const target = { ...(await answering(200, "text/html", given)), control: undefined };
    const facts = await preflight(target, redactorOf(target));
    expect(facts.tokens).toEqual(["token-of-the-test"]);
  });

  test("that is a framework's error page is left to the checks", async () => {
    const page = "<!doctype html><title>401 Unauthorized</title>";
    const target = { ...(await answering(401, "text/html", page)), credentials: [], control: undefined };
    expect((await preflight(target, redactorOf(target))).tokens).toEqual([]);
  });
});
