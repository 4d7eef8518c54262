import { execFileSync } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { isObject } from "../../../suites/core/json.ts";
import { startRewritingProxy } from "../../../suites/server/variants/proxy.ts";
import { runCli, startCli } from "../../testing/processes/cli-process.ts";

const TOKEN = "control-token-of-the-test";
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const ESCAPE_SEQUENCES = "\u001b[2J\u001b]52;c;cm0gLXJm\u0007\u009b1m\u202e";
const WORKFLOW_COMMANDS = "\n::error::marked\n##[stop-commands]x\r::add-mask::a";

test("a target's responses can't inject terminal sequences or CI commands", async () => {
  const server = await startReferenceServer({ controlToken: TOKEN });
  open.push(() => server.close());
  let secret = "";
  const proxy = await startRewritingProxy(server.url, (response) => {
    const given = Object(response.json).access_token;
    if (typeof given === "string") secret = given;
    else if (response.path.startsWith("/v1/payment-types") || response.status === 400)
      response.json = { [`k${ESCAPE_SEQUENCES}`]: `${ESCAPE_SEQUENCES}${WORKFLOW_COMMANDS}`, token: secret };
  });
  open.push(() => proxy.close());
  const { code, stdout, stderr } = await runCli(
    ["pact", "--url", proxy.url, "--control-url", server.controlUrl],
    { env: { CONFORM_CONTROL_TOKEN: TOKEN, GITHUB_ACTIONS: "true" } },
  );
  const all = stdout + stderr;
  expect(code).toBe(1);
  // The message of the Pact library contains the response.
  expect(all).toContain("marked");
  expect([...all].filter((one) => /[\p{Cc}\p{Cf}]/u.test(one) && one !== "\n" && one !== "\t")).toEqual([]);
  expect(all).not.toMatch(/^\s*::(?!(error|warning) title)|##\[/m);
  expect(secret.length).toBeGreaterThan(8);
  expect(all).not.toContain(secret);
});

test("secrets that a contract's own requests receive are redacted", async () => {
  const server = await startReferenceServer({ controlToken: TOKEN });
  open.push(() => server.close());
  const secrets: string[] = [];
  const proxy = await startRewritingProxy(server.url, ({ method, path, json }) => {
    if (!isObject(json)) return;
    if (method === "POST" && path === "/v1/webhooks") secrets.push(String(json.secret));
    if (method === "POST" && path === "/v1/deliveries") json.version = `secrets: ${secrets.join(" ")}`;
  });
  open.push(() => proxy.close());
  const { code, stdout } = await runCli(["pact", "--url", proxy.url, "--control-url", server.controlUrl], {
    env: { CONFORM_CONTROL_TOKEN: TOKEN },
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/secrets: \[redacted\]/);
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
});

/** A process's children. */
function childrenOf(parent: number | undefined) {
  const lines = execFileSync("ps", ["-A", "-ww", "-o", "ppid=,pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [ppid, pid, ...words] = line.trim().split(/\s+/);
    return Number(ppid) === parent ? [{ pid: Number(pid), commandLine: words.join(" ") }] : [];
  });
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("an interrupted verification says so, reports no result and leaves no process behind", async () => {
  const server = await startReferenceServer({ controlToken: TOKEN });
  open.push(() => server.close());
  const held = Promise.withResolvers<void>();
  open.push(async () => held.resolve());
  let children: ReturnType<typeof childrenOf> = [];
  const proxy = await startRewritingProxy(server.url, (response) => {
    if (!response.path.endsWith("/cancel")) return;
    // The verifier's process has sent the contract's request, whose response never comes.
    children = childrenOf(run.child.pid);
    run.child.kill("SIGINT");
    return held.promise;
  });
  open.push(() => proxy.close());
  const run = startCli(["pact", "--url", proxy.url, "--control-url", server.controlUrl], {
    env: { CONFORM_CONTROL_TOKEN: TOKEN },
  });
  const { code, stdout, stderr } = await run.ended;
  expect(stderr).toBe("");
  expect(stdout).toMatch(/Interrupted: no interaction was verified\.\nINCOMPLETE {2}\(exit 2\)\n$/);
  expect(code).toBe(2);
  // The verifier's token is not in its command line, which every user of the machine can read.
  expect(children).toMatchObject([{ commandLine: expect.stringMatching(/\/verifier-process\.ts$/) }]);
  await expect.poll(() => children.filter(({ pid }) => isThere(pid))).toEqual([]);
});

test("an oversized response before the contract leaves its events unverified, and isn't reported as a bug in the suite", async () => {
  const server = await startReferenceServer({ controlToken: TOKEN });
  open.push(() => server.close());
  const proxy = await startRewritingProxy(server.url, (response) => {
    if (response.method !== "POST" || response.path !== "/v1/webhooks") return;
    response.json = undefined;
    response.bytes = Buffer.alloc(17 * 1024 * 1024, " ");
  });
  open.push(() => proxy.close());
  const { code, stdout, stderr } = await runCli(
    ["pact", "--url", proxy.url, "--control-url", server.controlUrl],
    { env: { CONFORM_CONTROL_TOKEN: TOKEN } },
  );
  expect(stderr).toBe("");
  expect(stdout).toContain("couldn't test whether webhooks arrive");
  expect(code).toBe(1);
});
