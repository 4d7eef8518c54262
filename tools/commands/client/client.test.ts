import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { clientSuite } from "../../../suites/client/suite.ts";
import { poll } from "../../../suites/core/clock.ts";
import { explain } from "../../certification/explain.ts";
import type { Output } from "../../terminal/output.ts";
import { startCli } from "../../testing/processes/cli-process.ts";
import { UsageError } from "../../usage-error.ts";
import { certifyClient } from "./client.ts";
import { clientExplanation } from "./explanation.ts";
import { type ClientFlags, clientSettings } from "./settings.ts";

const folder = () => mkdtempSync(join(tmpdir(), "conform-client-"));
const WAIT_LIMIT_MS = 240_000;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Runs `client` in this process, and returns its output. */
async function grade(flags: ClientFlags, command: readonly string[]) {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  const output: Output = {
    interactive: false,
    quiet: false,
    event: () => {},
    colours: false,
    json: false,
    line: print,
    result: print,
    data: () => {},
    status: () => {},
  };
  const settings = clientSettings(flags, command, {});
  const report = await certifyClient(
    settings,
    output,
    { PATH: process.env.PATH },
    {
      first: new Promise(() => {}),
    },
  );
  return { report, printed: lines.join("\n") };
}

/** Starts the command in a process that is killed at the end of the test. */
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
  [{ scenario: "outag" }, /^--scenario: unknown scenario outag; did you mean outage\?/],
  [{ scenario: "," }, /^--scenario is empty/],
  [{ timeScale: "0" }, /^--time-scale takes a number from 0.05 to 1, not 0$/],
  [{ timeScale: "0.01" }, /^--time-scale 0.01 is too small to distinguish .* give 0.05 or more$/],
  [{ timeScale: "fast" }, /^--time-scale takes a number/],
  [{ duration: "soon" }, /^--duration takes a duration/],
  [{ duration: "0s" }, /^--duration must be longer than 0/],
  [{ maxStarts: "0" }, /^--max-starts takes a whole number from 1 to 100, not 0$/],
  [{ port: "70000" }, /^--port takes a whole number from 0 to 65535/],
  [{ claims: "api" }, /^--claims: api is not a level; the levels are requests, retries, catch-up$/],
  [{ without: ["located-orders"] }, /^--without: located-orders is not a case that a client can declare/],
  [{ without: [""] }, /can declare; the cases are orders-without-coordinates, timestamps$/],
  [{ json: true }, /^with --json the credentials aren't printed/],
])("%j is refused in one line", (flags, message) => {
  expect(() => clientSettings(flags, [], {})).toThrow(UsageError);
  expect(() => clientSettings(flags, [], {})).toThrow(message);
});

test("declarations in conform.yaml apply to clients, and those for servers and receivers are ignored", () => {
  const config = join(folder(), "conform.yaml");
  writeFileSync(
    config,
    "url: http://localhost\ncredentials: nothing\nwithout: [delivery-areas, timestamps]\n",
  );
  expect(clientSettings({ config }, [], {}).without).toEqual(["timestamps"]);
  expect(clientSettings({}, [], { CONFORM_CONFIG: config }).without).toEqual(["timestamps"]);
  expect(clientSettings({ config }, [], { CONFORM_WITHOUT: "orders-without-coordinates" }).without).toEqual([
    "orders-without-coordinates",
  ]);
  expect(clientSettings({ config, without: ["orders-without-coordinates"] }, [], {}).without).toEqual([
    "orders-without-coordinates",
  ]);
  writeFileSync(config, "without: [time]\n");
  expect(() => clientSettings({ config }, [], {})).toThrow(
    /^without in .*conform\.yaml: time is not a case that a client/,
  );
});

test("a missing command and a port in use are reported in one line", async () => {
  const missing = grade({}, ["no-such-command-here"]);
  await expect(missing).rejects.toThrow(UsageError);
  await expect(missing).rejects.toThrow(/no-such-command-here can't be started \(ENOENT\)/);
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(() => server.close());
  const address = server.address();
  const port = String(typeof address === "object" && address ? address.port : 0);
  const portInUse = grade({ port }, ["true"]);
  await expect(portInUse).rejects.toThrow(UsageError);
  await expect(portInUse).rejects.toThrow(/can't listen on port \d+ \(EADDRINUSE\): give another --port/);
});

test("on the command line the error is one line, with exit code 3", async () => {
  const { code, stderr, stdout } = await start(["--env-file", "/nowhere/at/all"]).ended;
  expect(stderr).toBe(
    "error: --env-file /nowhere/at/all can't be written (ENOENT): name a file in an existing folder\n",
  );
  expect(stdout).toBe("");
  expect(code).toBe(3);
});

/** A client that gets a token, sends a different token, and saves its own secrets to a file. */
const TOKEN_CLIENT = `
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

test("grades a command when it exits, and no output or report contains a secret", async () => {
  const [report, notes] = [join(folder(), "report"), join(folder(), "notes.json")];
  const result = await grade(
    { timeScale: "0.5", report, har: true, scenario: "calm" },
    node(TOKEN_CLIENT, notes),
  );
  const { secrets, scale }: { secrets: string[]; scale: string } = JSON.parse(readFileSync(notes, "utf8"));
  const written = readdirSync(report, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  const leaked = secrets.filter((secret) =>
    [result.printed, ...written].some((text) => text.includes(secret)),
  );
  expect(secrets.map((secret) => secret.length > 5)).toEqual([true, true, true, true]);
  expect(leaked).toEqual([]);
  expect(written.length).toBeGreaterThan(0);
  // The report contains all requests, also those of passed checks.
  const { log } = JSON.parse(readFileSync(join(report, "exchanges.har"), "utf8"));
  const requestedPaths = log.entries.map(
    (entry: { request: { url: string } }) => new URL(entry.request.url).pathname,
  );
  expect(requestedPaths).toContain("/oauth/token");
  expect(requestedPaths).toContain("/v1/stores");
  expect(scale).toBe("0.5");
  expect(result.printed).toContain("FAILED  tokens.exchanged-first");
  expect(result.printed).toMatch(/\d+ {2}the client created no order: place an order/);
  expect(result.report.exit_code).toBe(1);
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === "object" && address ? address.port : 0);
}

test("the re-run command has the same port, and a placeholder for the client's command", async () => {
  const port = await freePort();
  const command = node(TOKEN_CLIENT, join(folder(), "notes.json"), "--api-key=of-the-client");
  const { printed } = await grade({ port, scenario: "calm" }, command);
  expect(printed).toMatch(
    new RegExp(`--seed \\d+ --port ${port} --only tokens.exchanged-first -- YOUR-CLIENT-COMMAND`),
  );
  expect(printed).not.toContain("of-the-client");
});

/** A client that creates one order per start, and saves its credentials to a file. */
const ORDER_CLIENT = `
import { appendFileSync } from "node:fs";
const { BASE_URL, CLIENT_ID: client_id, CLIENT_SECRET: client_secret, PAIRING_CODE: pairing_code } = process.env;
const send = async (path, body, headers = {}) => {
  const options = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
  return (await fetch(BASE_URL + path, options)).json();
};
const { access_token } = await send("/oauth/token", { grant_type: "client_credentials", client_id, client_secret });
const authorization = "Bearer " + access_token;
const address = { text: "Moda Caddesi 10", lat: 41.0082, lng: 28.9784 };
await send("/v1/stores", { external_store_id: "till", pairing_code, name: "Moda", address }, { authorization });
const order = {
  external_ref: "the-same-each-time", store: { external_store_id: "till" }, dropoff: { text: "Moda Caddesi 12" },
  payment: { type: "NAKIT", amount_due: 80 },
};
const answer = await send("/v1/deliveries", order, { authorization, "idempotency-key": "the-same-each-time" });
appendFileSync(process.argv[1], JSON.stringify({ client_id, code: answer.error?.code ?? "none" }) + "\\n");
`;

/** The credentials and the order of each start. */
const startsIn = (notes: string): { client_id: string; code: string }[] =>
  readFileSync(notes, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a client is restarted with new credentials until all scenarios have been played", async () => {
  const notes = join(folder(), "starts");
  const scenario = "closed-credential,server-error,forbidden";
  const { report, printed } = await grade({ scenario, confirm: false }, node(ORDER_CLIENT, notes));
  const starts = startsIn(notes);
  expect(starts.map(({ code }) => code)).toEqual(["SUNUCU_HATASI", "YETKI_YOK", "SURESI_DOLDU"]);
  expect(new Set(starts.map(({ client_id }) => client_id)).size).toBe(3);
  expect(printed).toContain("start 3, with the scenarios closed-credential");
  const statusOf = (id: string) => report.checks.find((check) => check.id === id)?.status;
  // Each start has its own integrator, so equal order numbers and keys belong to different orders.
  expect(statusOf("orders.key")).toBe("passed");
  expect(statusOf("refusals.other-4xx")).toBe("passed");
  expect(statusOf("retries.server-error")).toBe("failed");
});

/** A client that sends an invalid token in its first `times` starts. Later starts send only valid tokens. */
const INVALID_TOKEN_CLIENT = `
import { appendFileSync, readFileSync } from "node:fs";
const { BASE_URL, CLIENT_ID: client_id, CLIENT_SECRET: client_secret } = process.env;
const [, notes, times] = process.argv;
appendFileSync(notes, "started\\n");
const runs = readFileSync(notes, "utf8").trim().split("\\n").length;
const list = (token) => fetch(BASE_URL + "/v1/stores", { headers: { authorization: "Bearer " + token } });
if (runs <= Number(times)) await list("made-up");
const response = await fetch(BASE_URL + "/oauth/token", {
  method: "POST", headers: { "content-type": "application/json" },
  body: JSON.stringify({ grant_type: "client_credentials", client_id, client_secret }),
});
await list((await response.json()).access_token);
`;

test.each([
  ["that repeats", 2, {}, { status: "failed" }, 2, true],
  ["that doesn't repeat", 1, {}, { status: "inconsistent", confirmation: "failed in 1 of 2 runs" }, 2, true],
  [
    "with --no-confirm",
    1,
    { confirm: false },
    { status: "failed", confirmation: "not repeated: --no-confirm was given" },
    1,
    false,
  ],
])("a failure %s", async (_, times, flags, outcome, starts, isAnnounced) => {
  const notes = join(folder(), "starts");
  const command = node(INVALID_TOKEN_CLIENT, notes, String(times));
  const { report, printed } = await grade(
    { ...flags, scenario: "calm", only: ["tokens.exchanged-first"] },
    command,
  );
  expect(report.checks.find(({ id }) => id === "tokens.exchanged-first")).toMatchObject(outcome);
  expect(readFileSync(notes, "utf8").trim().split("\n")).toHaveLength(starts);
  expect(printed.includes("Running the client's command a second time")).toBe(isAnnounced);
});

test("--max-starts limits the starts, and the last one gets all remaining scenarios", async () => {
  const notes = join(folder(), "starts");
  const scenario = "closed-credential,server-error";
  await grade({ scenario, maxStarts: "1", confirm: false }, node(ORDER_CLIENT, notes));
  expect(startsIn(notes)).toHaveLength(1);
});

test("a client that the user starts gets new credentials for its next start", async () => {
  const path = join(folder(), "sandbox.env");
  const { child, ended } = start(["--env-file", path, "--json", "--scenario", "calm"]);
  const read = (unlike: string) =>
    poll(
      async () => {
        const text = existsSync(path) ? readFileSync(path, "utf8") : unlike;
        return text === unlike ? undefined : text;
      },
      { within: WAIT_LIMIT_MS },
    );
  const first = (await read("")) ?? "";
  const environment = Object.fromEntries(first.split("\n").map((line) => line.split("=", 2)));
  const answer = await fetch(`${environment.BASE_URL}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "client_credentials",
      client_id: environment.CLIENT_ID,
      client_secret: environment.CLIENT_SECRET,
    }),
  });
  expect(answer.status).toBe(200);
  const second = (await read(first)) ?? "";
  const names = (text: string) => text.split("\n").map((line) => line.split("=")[0]);
  expect(names(second)).toEqual(names(first));
  expect(second.split("\n").filter((line) => first.includes(line))).toEqual([
    `BASE_URL=${environment.BASE_URL}`,
    "TIME_SCALE=1",
    "",
  ]);
  child.kill("SIGINT");
  expect((await ended).code).toBe(2);
  expect(existsSync(path)).toBe(false);
});

test("a client that sends nothing is INCOMPLETE, and the only reason shown is its exit code", async () => {
  const { report, printed } = await grade({}, node("process.exit(7)"));
  expect(printed).toContain("the client ended with exit code 7");
  expect(printed.match(/(?<=^Not verified:\n)(?:.+\n)+/m)?.[0]).toMatch(
    /^ +\d+ {2}the client sent nothing and ended with exit code 7: .+\n$/,
  );
  const reasons = report.checks.map(({ message }) => message);
  expect(new Set(reasons).size).toBe(1);
  expect(report.verdict).toBe("INCOMPLETE");
});

test("a command that doesn't exit is ended after --duration", async () => {
  const { report, printed } = await grade({ duration: "300ms" }, ["sh", "-c", "sleep 300 & sleep 300"]);
  expect(printed).toContain("0.3 s have passed (--duration): the run ends");
  expect(report.verdict).toBe("INCOMPLETE");
});

const FLOODING_CLIENT = `
  const big = Buffer.alloc(3 * 1024 * 1024, 0x20);
  const post = (body) => fetch(process.env.BASE_URL + "/v1/quotes", { method: "POST", body }).then((answer) => answer.text());
  await post(big).catch(() => {});
  for (;;) await post(big.subarray(0, 2 * 1024 * 1024)).catch(() => {});
`;

test("a client that keeps sending large bodies is ended, reported, and not CONFORMANT", async () => {
  const { report, printed } = await grade({}, node(FLOODING_CLIENT));
  expect(printed).toContain("POST /v1/quotes was cut off: a body of more than 2 MB");
  expect(printed).toMatch(
    /^Cut short: the client has sent 32 requests, which take \d+ MB with their responses: more than the limit of a run/m,
  );
  expect(report).toMatchObject({ run: { complete: false } });
  expect(report.verdict).not.toBe("CONFORMANT");
});

test("without a command, base URL and credentials are printed, and Ctrl-C grades the client", async () => {
  const { child, ended } = start(["--only", "tokens.*"]);
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => chunk.includes("Ctrl-C ends the run") && resolve());
  });
  child.kill("SIGINT");
  const { code, stdout } = await ended;
  expect(stdout).toMatch(
    /^BASE_URL=http:\/\/127\.0\.0\.1:\d+\nCLIENT_ID=.+\nCLIENT_SECRET=.+\nPAIRING_CODE=.+\nTIME_SCALE=1\n/,
  );
  expect(stdout).toContain("Steps for the client:");
  expect(stdout).toContain("the client made no call that needs a token");
  expect(stdout).not.toContain("Interrupted");
  expect(code).toBe(2);
});

test("--env-file writes a file that only its owner can read, and deletes it afterwards", async () => {
  const path = join(folder(), "sandbox.env");
  const { child, ended } = start(["--env-file", path, "--json"]);
  const text = await poll(async () => (existsSync(path) ? readFileSync(path, "utf8") : undefined), {
    within: WAIT_LIMIT_MS,
  });
  expect(text).toMatch(/^BASE_URL=.+\nCLIENT_ID=.+\nCLIENT_SECRET=.+\nPAIRING_CODE=.+\nTIME_SCALE=1\n$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  child.kill("SIGINT");
  const { stdout } = await ended;
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "INCOMPLETE", exit_code: 2 });
  expect(existsSync(path)).toBe(false);
});

test("an explanation of a check shows the sandbox's actions", async () => {
  const printed = await explain(clientSuite(), "backoff.grows", clientExplanation);
  expect(printed).toContain(
    "outage (an outage that lasts for up to 9 attempts): 500 SUNUCU_HATASI; then 502",
  );
  expect(printed).toContain("npm run client -- --only backoff.grows");
});
