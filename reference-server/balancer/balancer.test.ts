import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

/** Without nginx these tests are skipped, unless all services are required (REQUIRE_SERVICES=1). */
const isMissing = spawnSync("nginx", ["-v"]).error !== undefined && process.env.REQUIRE_SERVICES !== "1";

/** The balancer's limit for bodies, in bytes. */
const LARGEST = 4 * 1024 * 1024;

let balancer: ChildProcess;
let upstream: Server;
let address: string;
/** The number of body bytes in each request that reached the server behind the balancer. */
const arrived: number[] = [];

/** nginx with the delivered configuration. It listens on socket files, so that no port conflicts. */
beforeAll(async () => {
  if (isMissing) return;
  const folder = mkdtempSync(join(tmpdir(), "balancer-"));
  address = join(folder, "balancer.sock");
  const instance = join(folder, "instance.sock");
  upstream = createServer(async (incoming, answer) => {
    let bytes = 0;
    for await (const chunk of incoming) bytes += chunk.length;
    arrived.push(bytes);
    answer.writeHead(201).end();
  });
  await once(upstream.listen(instance), "listening");

  const delivered = readFileSync(new URL("balancer.conf", import.meta.url), "utf8");
  writeFileSync(join(folder, "balancer.conf"), delivered.replace("listen 8080;", `listen unix:${address};`));
  mkdirSync(join(folder, "temporary"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/temporary/${kind};`)
    .join("\n");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${temporary}
  upstream instances { server unix:${instance}; }
  include ${folder}/balancer.conf;
}
`,
  );
  balancer = spawn("nginx", ["-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  // nginx writes its process id once it listens.
  await vi.waitFor(() => expect(existsSync(join(folder, "nginx.pid"))).toBe(true), 60_000);
});

afterAll(async () => {
  if (isMissing) return;
  const ended = once(balancer, "exit");
  balancer.kill("SIGTERM");
  await ended;
  upstream.close();
});

/**
 * Sends part of a body, ends the body if requested, and returns the response's status. `declared` is the
 * value of Content-Length; without it the body is chunked.
 */
async function send(body: {
  readonly declared?: number;
  readonly bytes: number;
  readonly isEnded: boolean;
}): Promise<number | undefined> {
  const outgoing = request({
    socketPath: address,
    method: "POST",
    path: "/v1/deliveries",
    headers: body.declared === undefined ? {} : { "content-length": body.declared },
  });
  const answered: Promise<IncomingMessage[]> = once(outgoing, "response");
  outgoing.flushHeaders();
  outgoing.write(Buffer.alloc(body.bytes, " "));
  if (body.isEnded) outgoing.end();
  const [answer] = await answered;
  answer?.resume();
  outgoing.destroy();
  return answer?.statusCode;
}

describe.skipIf(isMissing)("the balancer", () => {
  test("forwards bodies up to the limit", async () => {
    expect(await send({ declared: LARGEST, bytes: LARGEST, isEnded: true })).toBe(201);
    expect(await send({ bytes: LARGEST, isEnded: true })).toBe(201);
    expect(arrived).toEqual([LARGEST, LARGEST]);
  });

  test("refuses a body with a larger declared length before it arrives", async () => {
    const before = arrived.length;
    expect(await send({ declared: LARGEST + 1, bytes: 1, isEnded: false })).toBe(413);
    expect(arrived).toHaveLength(before);
  });

  test("refuses a body without a length as soon as it exceeds the limit, before its end", async () => {
    const before = arrived.length;
    expect(await send({ bytes: LARGEST + 1, isEnded: false })).toBe(413);
    expect(arrived).toHaveLength(before);
  });
});
