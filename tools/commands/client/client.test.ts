import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { clientSuite } from "../../../suites/client/suite.ts";
import { poll } from "../../../suites/core/clock.ts";
import { explain } from "../../certification/explain.ts";
import type { Output } from "../../terminal/output.ts";
import { startCli } from "../../testing/cli-process.ts";
import { UsageError } from "../../usage-error.ts";
import { certifyClient } from "./client.ts";
import { clientExplanation } from "./explanation.ts";
import { type ClientFlags, clientSettings } from "./settings.ts";

const folder = () => mkdtempSync(join(tmpdir(), "conform-client-"));
const LONGEST_MS = 60_000;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Runs `client` in this process, and gives all that it said. */
async function grade(flags: ClientFlags, command: readonly string[]) {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const output: Output = {
    interactive: false,
    colours: false,
    json: false,
    line: say,
    result: say,
    data: () => {},
    status: () => {},
  };
  const settings = clientSettings(flags, command, {});
  const report = await certifyClient(settings, output, { PATH: process.env.PATH }, new Promise(() => {}));
  return { report, said: said.join("\n") };
}

/** Starts the command; it ends with the test. */
function start(args: readonly string[]) {
  const { child, ended } = startCli(["client", ...args]);
  open.push(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended };
}

const node = (script: string, ...args: readonly string[]) => [
  process.execPath,
  "--input-type=module",
  "-e",
  script,
  "--",
  ...args,
];

test.each<[ClientFlags, RegExp]>([
  [{ scenario: "outag" }, /^--scenario outag is none; did you mean outage\?/],
  [{ scenario: "," }, /^--scenario names none/],
  [{ timeScale: "0" }, /^--time-scale takes a number from 0.01 to 1, not 0$/],
  [{ timeScale: "fast" }, /^--time-scale takes a number/],
  [{ duration: "soon" }, /^--duration takes a duration/],
  [{ duration: "0s" }, /^--duration takes a time that is longer than nothing/],
  [{ port: "70000" }, /^--port takes a whole number from 0 to 65535/],
  [{ claims: "api" }, /^--claims: api is not a level; there are requests, retries, catch-up$/],
  [{ json: true }, /^--json leaves no place for the credentials/],
])("%j is refused in one line", (flags, message) => {
  expect(() => clientSettings(flags, [], {})).toThrow(UsageError);
  expect(() => clientSettings(flags, [], {})).toThrow(message);
});

test("a command that isn't there and a port that is taken are refused in one line", async () => {
  const missing = grade({}, ["no-such-command-here"]);
  await expect(missing).rejects.toThrow(UsageError);
  await expect(missing).rejects.toThrow(/no-such-command-here doesn't start \(ENOENT\)/);
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(() => server.close());
  const address = server.address();
  const port = String(typeof address === "object" && address ? address.port : 0);
  const taken = grade({ port }, ["true"]);
  await expect(taken).rejects.toThrow(UsageError);
  await expect(taken).rejects.toThrow(/can't listen on port \d+ \(EADDRINUSE\): give another --port/);
});

test("on the command line such a refusal is one line, with exit code 3", {
  timeout: LONGEST_MS,
}, async () => {
  const { code, stderr, stdout } = await start(["--env-file", "/nowhere/at/all"]).ended;
  expect(stderr).toBe(
    "error: --env-file /nowhere/at/all can't be written (ENOENT): name a file in a folder that is there\n",
  );
  expect(stdout).toBe("");
  expect(code).toBe(3);
});

/** A client that gets a token, calls with another one, and writes down what it knows. */
const GETS_TOKEN = `
import { writeFileSync } from "node:fs";
const { BASE_URL, CLIENT_ID: client_id, CLIENT_SECRET: client_secret, PAIRING_CODE, TIME_SCALE } = process.env;
const response = await fetch(BASE_URL + "/oauth/token", {
  method: "POST", headers: { "content-type": "application/json" },
  body: JSON.stringify({ grant_type: "client_credentials", client_id, client_secret }),
});
const { access_token } = await response.json();
await fetch(BASE_URL + "/v1/stores", { headers: { authorization: "Bearer a-real-token-by-mistake" } });
const secrets = [client_secret, access_token, PAIRING_CODE, "a-real-token-by-mistake"];
writeFileSync(process.argv[1], JSON.stringify({ secrets, scale: TIME_SCALE }));
`;

test("runs a command, grades it when it ends, and keeps secrets out of everything", async () => {
  const [report, notes] = [join(folder(), "report"), join(folder(), "notes.json")];
  const graded = await grade({ timeScale: "0.5", report }, node(GETS_TOKEN, notes));
  const { secrets, scale }: { secrets: string[]; scale: string } = JSON.parse(readFileSync(notes, "utf8"));
  const written = readdirSync(report).map((name) => readFileSync(join(report, name), "utf8"));
  const leaked = secrets.filter((secret) => [graded.said, ...written].some((text) => text.includes(secret)));
  expect(secrets.map((secret) => secret.length > 5)).toEqual([true, true, true, true]);
  expect(leaked).toEqual([]);
  expect(written.length).toBeGreaterThan(0);
  expect(scale).toBe("0.5");
  expect(graded.said).toContain("FAILED  tokens.exchanged-first");
  expect(graded.said).toMatch(/\d+ {2}the client created nothing: hand over an order/);
  expect(graded.report.exit_code).toBe(1);
});

test("a client that does nothing is INCOMPLETE, and its exit code is told", async () => {
  const { report, said } = await grade({}, node("process.exit(7)"));
  expect(said).toContain("the client ended with exit code 7");
  expect(report.verdict).toBe("INCOMPLETE");
});

test("a command that doesn't end is ended when its time is over", async () => {
  const { report, said } = await grade({ duration: "300ms" }, ["sh", "-c", "sleep 300 & sleep 300"]);
  expect(said).toContain("0.3 s are over: the run ends here");
  expect(report.verdict).toBe("INCOMPLETE");
});

test("by hand: address and credentials are shown, and Ctrl-C grades", { timeout: LONGEST_MS }, async () => {
  const { child, ended } = start(["--only", "tokens.*"]);
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => chunk.includes("Ctrl-C ends the run") && resolve());
  });
  child.kill("SIGINT");
  const { code, stdout } = await ended;
  expect(stdout).toMatch(
    /^BASE_URL=http:\/\/127\.0\.0\.1:\d+\nCLIENT_ID=.+\nCLIENT_SECRET=.+\nPAIRING_CODE=.+\nTIME_SCALE=1\n/,
  );
  expect(stdout).toContain("To play:");
  expect(stdout).toContain("the client called nothing that needs a token");
  expect(stdout).not.toContain("Interrupted");
  expect(code).toBe(2);
});

test("a job gets a file that only it can read, and that is gone afterwards", {
  timeout: LONGEST_MS,
}, async () => {
  const path = join(folder(), "sandbox.env");
  const { child, ended } = start(["--env-file", path, "--json"]);
  const text = await poll(async () => (existsSync(path) ? readFileSync(path, "utf8") : undefined), {
    within: LONGEST_MS,
  });
  expect(text).toMatch(/^BASE_URL=.+\nCLIENT_ID=.+\nCLIENT_SECRET=.+\nPAIRING_CODE=.+\nTIME_SCALE=1\n$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  child.kill("SIGINT");
  const { stdout } = await ended;
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "INCOMPLETE", exit_code: 2 });
  expect(existsSync(path)).toBe(false);
});

test("a check is explained by what the sandbox does", async () => {
  const said = await explain(clientSuite(), "backoff.grows", clientExplanation);
  expect(said).toContain("outage (an outage that lasts for 9 tries): 500 SUNUCU_HATASI; then 502");
  expect(said).toContain("npm run client -- --only backoff.grows");
});
