import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../../reference-server/embedded.ts";
import { runCli } from "../../testing/processes/cli-process.ts";

const TOKEN = "a-control-token-for-init";
let server: RunningServer;
let folder: string;
beforeAll(async () => {
  server = await startReferenceServer({ controlToken: TOKEN });
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runCli(["init", ...args], { cwd: folder, env });
const file = () => readFileSync(join(folder, "conform.yaml"), "utf8");

test("with all values as flags, the file refers to the secret's variable, and a run needs no other settings", async () => {
  const env = { CONFORM_CONTROL_TOKEN: TOKEN };
  const { code, stdout, stderr } = await run(["--url", server.url, "--control-url", server.controlUrl], env);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/responds in \d+ ms .*, and accepts the token\.\nconform\.yaml is written\./);
  expect(code).toBe(0);
  expect(file()).toMatch(/^# yaml-language-server: \$schema=https:\/\/\S+conform\.schema\.json\n/);
  expect(file()).not.toContain(TOKEN);
  const certified = await runCli(["conform", "--only", "health", "--partial", "--quiet"], {
    cwd: folder,
    env,
  });
  expect(certified.stdout).toMatch(/^INCOMPLETE {2}\(exit 0/);
  const second = await run(["--url", server.url, "--control-url", server.controlUrl], env);
  expect(second.stderr).toBe("error: conform.yaml exists already: change it, or move it away first\n");
});

test("a service that issues no token isn't said to accept the credentials", async () => {
  await using other = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
  await once(other, "listening");
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const { code, stderr } = await run(["--url", url, "--client-id", "x"], { CONFORM_CLIENT_SECRET: "s" });
  expect(stderr).toBe(
    `error: ${url} issues no token for these credentials: check --url, and that the response to POST /oauth/token has an access_token\n`,
  );
  expect(code).toBe(3);
  expect(file).toThrow("ENOENT");
});

test.each([
  ["no URL", () => [], /^error: init needs --url: without a terminal, it can't ask\n$/],
  [
    "no credentials",
    () => ["--url", server.url],
    /^error: init needs --control-url or --client-id: without a terminal/,
  ],
  [
    "an unknown client",
    () => ["--url", server.url, "--client-id", "x"],
    /^error: \S+ refuses the credentials of client id x/,
  ],
  [
    "a port where nothing listens",
    () => ["--url", "http://127.0.0.1:9", "--client-id", "x"],
    /^error: http:\/\/127\.0\.0\.1:9\S* can't be certified/,
  ],
])("%s is reported in one line, and nothing is written", async (_, args, message) => {
  const { code, stderr } = await run(args(), { CONFORM_CLIENT_SECRET: "s" });
  expect(stderr).toMatch(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(3);
  expect(file).toThrow("ENOENT");
});
