import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../../reference-server/embedded.ts";
import { mutantOf } from "../../../suites/server/mutants/index.ts";
import { runCli, startCli } from "../../testing/processes/cli-process.ts";

/** Generous timeout: several processes share the CPU. */
const WAIT_LIMIT_MS = 560_000;

const TOKEN = "a-control-token-of-the-test";

/** An agent that runs the command in its own process. */
async function connected(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  const { child, ended } = startCli(["mcp", ...args], { cwd: folder, env });
  const client = new Client({ name: "agent", version: "1" });
  await client.connect(new StdioServerTransport(child.stdout, child.stdin));
  return {
    folder,
    client,
    async call(
      name: string,
      given: Record<string, unknown>,
      options: Parameters<Client["callTool"]>[1] = {},
    ) {
      const { content, isError = false } = await client.callTool(
        { name, arguments: given },
        { timeout: WAIT_LIMIT_MS, ...options },
      );
      return { isError, text: content.map((one) => (one.type === "text" ? one.text : "")).join("\n") };
    },
    /** Closes the command's standard input, as agents do, and waits for its exit. */
    async leave() {
      child.stdin.end();
      return ended;
    },
  };
}

describe("an agent", () => {
  let faulty: RunningServer;
  let agent: Awaited<ReturnType<typeof connected>>;
  beforeAll(async () => {
    faulty = await startReferenceServer({
      controlToken: TOKEN,
      mutate: mutantOf("health-ok-is-text").mutate,
    });
    agent = await connected([], { CONFORM_CONTROL_TOKEN: TOKEN });
  });
  afterAll(() => faulty.close());

  test("has four tools", async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["list_checks", "explain", "run", "read_report"]);
  });

  test("finds checks by words, and explains a server check and a receiver clause", async () => {
    const { text } = await agent.call("list_checks", { only: ["health"] });
    expect(text).toMatch(/^health\.ok \(MUST\): GET \/healthz returns 200/);
    const receivers = await agent.call("list_checks", { subject: "receiver" });
    expect(receivers.text).toMatch(/^duplicates\.one-effect \(MUST\): /m);
    const check = await agent.call("explain", { id: "health.ok" });
    expect(check.text).toMatch(/What the specification says.*What is sent.*GET \/healthz/s);
    expect((await agent.call("explain", { id: "RECV-3" })).text).toMatch(/RECV-3 \(MUST, level effects/);
  });

  test("gets an error for read_report before a run", async () => {
    const { isError, text } = await agent.call("read_report", {});
    expect({ isError, text }).toEqual({
      isError: true,
      text: "no run in this session: give the argument report, with a report's folder",
    });
  });

  test("runs checks on an address of this machine, gets progress messages, and reads the report", async () => {
    const heard: (string | undefined)[] = [];
    const address = { url: faulty.url, control_url: faulty.controlUrl };
    const { isError, text } = await agent.call(
      "run",
      { ...address, only: ["health"], report: "out" },
      { onprogress: ({ message }) => heard.push(message) },
    );
    expect(isError).toBe(false);
    expect(text).toMatch(/^FAILED {2}health\.ok$/m);
    expect(text).toMatch(/^NONCONFORMANT .* 3 checks, 2 passed/m);
    expect(heard).toEqual(expect.arrayContaining([expect.stringMatching(/3 of \d+ checks, filtered/)]));

    expect((await agent.call("read_report", { report: "out" })).text).toContain("NONCONFORMANT  (exit 1)");
    const failed = await agent.call("read_report", { check: "health.ok" });
    expect(failed.text).toMatch(/^FAILED {2}health\.ok\n.*GET \S+\/healthz → 200/s);
    expect(failed.text).toMatch(/re-run +CONFORM_CONTROL_TOKEN=.* --only health\.ok$/m);
    expect((await agent.call("read_report", { check: "health.parts" })).text).toBe("health.parts: passed");
    expect(text + failed.text).not.toContain(TOKEN);
  });

  const NOWHERE = "https://elsewhere.example";
  test.each([
    ["explain", {}, /: id is missing$/],
    ["explain", { id: "health.okay" }, /^--explain health\.okay: .* did you mean health\.ok\?/],
    ["list_checks", { subject: "servers" }, /: subject has to be server, receiver or client$/],
    ["list_checks", { only: ["zebra"] }, /^--only zebra: no check/],
    ["run", { onyl: ["health"] }, /: onyl is not an argument; did you mean only\?$/],
    ["run", { only: "health" }, /: only has to be a list$/],
    ["run", { claims: ["apis"] }, /: claims\[0\].* has to be api, events, courier or time$/],
    ["run", { bail: 0 }, /: bail has to be at least 1$/],
    ["run", { url: "elsewhere" }, /^--url is not a URL: elsewhere/],
    ["run", { url: NOWHERE, control_url: NOWHERE }, /^run doesn't send requests to https:\/\/elsewhere/],
    ["read_report", { report: "nowhere" }, /^nowhere can't be read \(ENOENT\)/],
    ["read_report", { check: "health.okay" }, /^the report has no check health\.okay; did you mean/],
  ])("gets one line for arguments that %s doesn't accept: %j", async (name, given, line) => {
    const { isError, text } = await agent.call(name, given);
    expect(text).toMatch(line);
    expect(text).not.toContain("\n");
    expect(isError).toBe(true);
  });

  test("disconnects, and the process has written only protocol messages", async () => {
    const { code, stdout, stderr } = await agent.leave();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
  });
});

test("a cancelled run cleans up and reports, also if the agent disconnects", async () => {
  const { folder, call, leave } = await connected();
  const cancelled = new AbortController();
  const run = call(
    "run",
    { report: "out" },
    { signal: cancelled.signal, onprogress: () => cancelled.abort() },
  );
  await expect(run).rejects.toThrow();
  expect((await leave()).code).toBe(0);
  const report = JSON.parse(readFileSync(join(folder, "out/report.json"), "utf8"));
  expect(report).toMatchObject({
    verdict: "INCOMPLETE",
    run: { ended_early: [expect.stringMatching(/^Interrupted: /)] },
  });
});

test("one run at a time", async () => {
  const { call, leave } = await connected();
  const [first, second] = await Promise.all([
    call("run", { only: ["health"] }),
    call("run", { only: ["health"] }),
  ]);
  expect(first.text).toContain("3 checks, all passed");
  expect(second).toEqual({
    isError: true,
    text: "another run is in progress: wait until it ends, or cancel it",
  });
  await leave();
});

test("without the SDK one line says how to install it", async () => {
  const without = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve(name, context, next) {
        if (name.startsWith("@modelcontextprotocol/")) throw new Error("it isn't installed");
        return next(name, context);
      },
    });`;
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(without)}"`;
  const { code, stdout, stderr } = await runCli(["mcp"], { env: { NODE_OPTIONS } });
  expect({ code, stdout, stderr }).toEqual({
    code: 3,
    stdout: "",
    stderr:
      "error: mcp needs the package @modelcontextprotocol/server: npm install --save-dev @modelcontextprotocol/server@2\n",
  });
});

test("wrong settings are reported in one line at the start", async () => {
  const { code, stderr } = await runCli(["mcp", "--url", "nowhere"]);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/^error: --url is not a URL: nowhere/),
  });
});
