import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { poll } from "../../../suites/core/clock.ts";
import { isObject, parseJson } from "../../../suites/core/json.ts";
import { mutantOf } from "../../../suites/server/mutants/index.ts";
import { runCli } from "../processes/cli-process.ts";

/**
 * Validates responses against the document with another program, Stoplight's Prism, as a proxy. It isn't a dependency:
 * the pipeline fetches it with npm.
 */
const VERSION = "5.16.0";
const isGate = process.env.OTHER_READERS !== undefined;
const document = fileURLToPath(new URL("../../../openapi/courier-dispatch.yaml", import.meta.url));
const CONTROL_TOKEN = "control-token-of-the-test";
/** Prism waits forever for the rest of a body that isn't JSON. */
const CHECKS =
  "delivery-fields.*,idempotency.*,stores.*,quotes.*,paging.*,subscriptions.*,changes.*,cancellation.*,states.*,proofs.*," +
  "isolation.*,courier.*,tracking.*,areas.*,payment-types.*,health.*,creation.*";

const open: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function listen(server: ReturnType<typeof createSocketServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function installPrism(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "prism-"));
  open.push(() => rmSync(folder, { recursive: true, force: true }));
  const install = ["install", "--silent", "--no-save", "--prefix", folder, `@stoplight/prism-cli@${VERSION}`];
  await promisify(execFile)("npm", install);
  return join(folder, "node_modules", ".bin", "prism");
}

async function startPrism(prism: string, upstream: string): Promise<number> {
  const port = await freePort();
  const args = ["proxy", document, upstream, "--host", "127.0.0.1", "--port", String(port)];
  const proxy = spawn(prism, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  open.push(() => proxy.kill());
  let said = "";
  proxy.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const isUp = await poll(async () => (said.includes("Prism is listening") ? true : undefined), {
    within: 60_000,
  });
  expect(isUp, said).toBe(true);
  return port;
}

interface Violation {
  readonly place: string;
  readonly message: string;
}

/** The violations that Prism finds in responses. Violations in requests don't count: checks send them on purpose. */
function violationsIn(header: string | readonly string[] | undefined): readonly Violation[] {
  const list = parseJson(String(header ?? "[]"));
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    if (!isObject(one) || !Array.isArray(one.location) || one.location[0] !== "response") return [];
    return [{ place: one.location.join("."), message: String(one.message) }];
  });
}

/** Forwards all requests, and keeps Prism's violations. */
async function startListening(prismPort: number) {
  const alarms = new Map<string, number>();
  let answers = 0;
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url = "/", headers } = incoming;
    const onward = request({ host: "127.0.0.1", port: prismPort, method, path: url, headers }, (answer) => {
      answers += 1;
      for (const { place, message } of violationsIn(answer.headers["sl-violations"])) {
        const path = url.replace(/\?.*/, "").replaceAll(/[0-9a-f-]{36}/g, "{id}");
        alarms.set(`${method} ${path} ${answer.statusCode} ${place}: ${message}`, answers);
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const server = createServer(pass);
  const port = await listen(server);
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, alarms, answers: () => answers };
}

/** Prism's violations while checks run on the server, or on a mutant. */
async function readByPrism(prism: string, only: string, mutant?: string) {
  const server = await startReferenceServer({
    controlToken: CONTROL_TOKEN,
    ...(mutant && { mutate: mutantOf(mutant).mutate }),
  });
  open.push(() => server.close());
  const { port, alarms, answers } = await startListening(await startPrism(prism, server.url));
  const args = ["--url", `http://127.0.0.1:${port}`, "--control-url", server.controlUrl, "--only", only];
  const { stdout, stderr } = await runCli(["conform", ...args], {
    env: { CONFORM_CONTROL_TOKEN: CONTROL_TOKEN },
  });
  return { alarms: [...alarms.keys()], answers: answers(), told: stdout + stderr };
}

describe.skipIf(!isGate)("the document in Prism", () => {
  let prism = "";
  beforeAll(async () => {
    prism = await installPrism();
  });

  test("allows every response of the reference server", async () => {
    const { alarms, answers, told } = await readByPrism(prism, CHECKS);
    expect(answers, told).toBeGreaterThan(500);
    expect(alarms).toEqual([]);
  });

  test("doesn't allow an invalid response", async () => {
    const { alarms } = await readByPrism(prism, "health.*", "health-ok-is-text");
    expect(alarms).not.toEqual([]);
  });
});
