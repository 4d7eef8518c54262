/** A target that recognises the suite could behave for it alone. These tests cover the suite's defences. */
import { createServer, type IncomingMessage } from "node:http";
import { Agent, request } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { checks } from "../checks/index.ts";
import { runOnTarget } from "../run-target.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/sample-data/settings.ts";

const CONTROL_TOKEN = "control-token-of-the-test";

/** The recognisable parts of a request: names and values of its headers as received, its address and its body. */
interface Seen {
  readonly headers: readonly string[];
  readonly names: readonly string[];
  readonly text: string;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The reference server for whom it likes; everybody else gets 500. The control interface is as it is. */
async function serverFor(isLiked: (seen: Seen) => boolean): Promise<{ url: string; controlUrl: string }> {
  const server = await startReferenceServer({ controlToken: CONTROL_TOKEN });
  const agent = new Agent({});
  const proxy = createServer(async (incoming, outgoing) => {
    const { rawHeaders, url = "/", method = "GET" } = incoming;
    const body = await bodyOf(incoming);
    const names = rawHeaders.filter((_, index) => index % 2 === 0);
    const text = [`${method} ${url}`, ...rawHeaders, body.toString()].join("\n");
    if (!isLiked({ headers: rawHeaders, names, text })) {
      outgoing.writeHead(500, { "content-type": "application/json" }).end("{}");
      return;
    }
    const { connection: _, host: __, "content-length": ___, ...headers } = incoming.headers;
    const answer = await request(`${server.url}${url}`, {
      method,
      headers,
      body: body.length > 0 ? body : null,
      dispatcher: agent,
    });
    const { "transfer-encoding": ____, ...answered } = answer.headers;
    outgoing.writeHead(answer.statusCode, answered).end(Buffer.from(await answer.body.arrayBuffer()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await agent.destroy();
    await server.close();
  });
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return { url: `http://127.0.0.1:${address.port}`, controlUrl: server.controlUrl };
}

/** Groups that ask for most operations, and take seconds. */
const GROUPS = ["clients", "health", "tokens", "stores", "idempotency", "paging", "quotes", "cancellation"];
const some = checks.filter(({ id }) => GROUPS.includes(id.slice(0, id.indexOf("."))));

async function outcomesOn(
  { url, controlUrl }: { url: string; controlUrl: string },
  seed = 1,
): Promise<ReadonlyMap<string, Outcome>> {
  const target = {
    url,
    credentials: [],
    pairingCodes: [],
    control: { url: controlUrl, token: CONTROL_TOKEN },
    receiver: LOOPBACK_RECEIVER,
    point: DEFAULT_POINT,
    answerMs: 10_000,
    maxWaitMs: 0,
  };
  return runOnTarget(target, some, { seed, jobs: 4 });
}

const failed = (outcomes: ReadonlyMap<string, Outcome>): readonly string[] =>
  [...outcomes].filter(([, { status }]) => status === "failed").map(([id]) => id);

const isFetch = ({ headers }: Seen) => headers.includes("sec-fetch-mode");

describe("a server that is good to one kind of client alone fails, and the finding says so", () => {
  test.for<[string, (seen: Seen) => boolean]>([
    ["the suite's first client", isFetch],
    ["whatever isn't the suite's first client", (seen) => !isFetch(seen)],
    ["clients whose first header is host", ({ names }) => /^host$/i.test(names[0] ?? "")],
    ["clients that write their headers in lower case", ({ names }) => names.includes("accept")],
  ])("%s", async ([, isLiked]) => {
    const outcomes = await outcomesOn(await serverFor(isLiked));
    expect(failed(outcomes)).toContain("clients.alike");
    expect(outcomes.get("clients.alike")?.message).toContain(
      "the requests differ only in the user agent and the order of headers",
    );
  });

  test("the clients that it saw first", async () => {
    let first: string | undefined;
    const server = await serverFor(({ names }) => {
      const shape = names.filter((name) => !/^(content|authorization|idempotency)/i.test(name)).join();
      first ??= shape;
      return shape === first;
    });
    const outcomes = await outcomesOn(server);
    expect(outcomes.get("clients.alike")?.message).toContain(
      "the requests differ only in the user agent and the order of headers",
    );
  });
});

test("what every client of life sends is sent by all, and no text names the suite", async () => {
  const all: Seen[] = [];
  const server = await serverFor((seen) => {
    all.push(seen);
    return true;
  });
  const outcomes = await outcomesOn(server, 7);
  expect(failed(outcomes)).toEqual([]);
  expect(all.length).toBeGreaterThan(300);
  const alterEventData = /conform|suite|uyum|deneme|undici|repro|check|fuzz/i;
  expect(
    all.map(({ text }) => alterEventData.exec(text)?.[0]).filter((found) => found !== undefined),
  ).toEqual([]);
  const without = (name: string) =>
    all.filter(({ names }) => !names.some((one) => one.toLowerCase() === name));
  for (const name of ["user-agent", "host", "accept"]) expect(without(name)).toEqual([]);
});
