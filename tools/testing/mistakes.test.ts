import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { callCli } from "./processes/cli-in-process.ts";
import { runCli } from "./processes/cli-process.ts";

const folder = () => mkdtempSync(join(tmpdir(), "conform-"));

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function serveHttp(respond: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer({}, respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const CREDENTIALS = { CONFORM_CLIENT_ID: "pos", CONFORM_CLIENT_SECRET: "a-secret-of-the-test" };

async function aTarget() {
  const controlToken = "control-token-of-the-test";
  const server = await startReferenceServer({ controlToken });
  open.push(() => server.close());
  return { ...server, controlToken };
}

function file(name: string, text: string | Uint8Array): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

describe("a mistake is reported in one line with exit code 3", () => {
  const mistakes: readonly [string, readonly string[], RegExp][] = [
    ["an unknown flag", ["--frobnicate"], /unknown option '--frobnicate'/],
    [
      "an unknown check",
      ["--only", "idempotency.same-key-same-bdy"],
      /did you mean idempotency.same-key-same-body/,
    ],
    ["an unknown id to explain", ["--explain", "IDEM-999"], /no check and no clause has this id/],
    ["an invalid number of jobs", ["--jobs", "many"], /--jobs takes a whole number from 1 to 64, not many/],
    ["an invalid seed", ["--seed", "-1"], /--seed takes a whole number/],
    ["an invalid duration", ["--max-wait", "40"], /--max-wait takes a duration such as/],
    [
      "an unknown level",
      ["--claims", "api,evnts"],
      /evnts is not a level; the levels are api, events, courier, time/,
    ],
    [
      "an unknown declaration",
      ["--without", "orders-without-coordinates"],
      /^error: --without: orders-without-coordinates is not a case that a server can declare; the cases are closed-credentials, .*delivery-areas/,
    ],
    ["an invalid URL", ["--url", "dispatch"], /--url is not a URL: dispatch/],
    ["an address with a password", ["--url", "http://u:p@localhost"], /must not contain a user or password/],
    [
      "a password in an address of another scheme, not repeated",
      ["--url", "ftp://u:pass@word@localhost"],
      /must begin with http:\/\/ or https:\/\/: ftp:\/\/…@localhost$/m,
    ],
    [
      "a password in an address without its scheme, not repeated",
      ["--url", "u:pass@word@localhost"],
      /must begin with http:\/\/ or https:\/\/: …@localhost$/m,
    ],
    [
      "a password in an invalid address, not repeated",
      ["--url", "http://u:pass@word@local host"],
      /--url is not a URL: http:\/\/…@local host /,
    ],
    [
      "an address with a query, which may contain a key",
      ["--url", "http://localhost?key=word"],
      /must have no \? or # part: give only http:\/\/localhost\//,
    ],
    ["another scheme", ["--url", "ftp://localhost"], /must begin with http:\/\/ or https:\/\//],
    [
      "a port where nothing listens",
      ["--url", "http://127.0.0.1:1"],
      /can't be certified: nothing listens there/,
    ],
    ["a folder for the report without a name", ["--report", ""], /^error: --report requires a value/],
    ["empty credentials", ["--client-id", ""], /^error: --client-id requires a value/],
    [
      "longer than the longest timer",
      ["--timeout", "999999999h"],
      /^error: --timeout takes 576h at most, not 999999999h/,
    ],
    ["a wait without end", ["--max-wait", "577h"], /^error: --max-wait takes 576h at most, not 577h/],
    [
      "a flag given twice",
      ["--claims", "api", "--claims", "events"],
      /^error: --claims is given twice: give it once/,
    ],
    [
      "a control token that was copied with its line break",
      ["--control-url", "http://localhost:1/control", "--control-token", "token\n"],
      /^error: the control token contains a space, a line break/,
    ],
    [
      "a client secret that was copied with its line break",
      ["--client-id", "one", "--client-secret", "secret\n"],
      /^error: --client-secret contains a line break: give the secret without the line break/,
    ],
    ["a timeout of 0", ["--timeout", "0s"], /^error: --timeout must be longer than 0/],
    [
      "pairing codes without a target",
      ["--pairing-code", "A1"],
      /^error: credentials, pairing codes or a control interface are given, but no target: add --url or --image/,
    ],
    [
      "a signing key that doesn't exist",
      ["--report", "nowhere", "--sign", "nowhere.pem"],
      /^error: --sign nowhere\.pem can't be read \(ENOENT\): give the private key's file, in PEM/,
    ],
    ["a missing settings file", ["--config", "nowhere.yaml"], /cannot read nowhere.yaml \(ENOENT\)/],
    [
      "a report folder that can't be written",
      ["--report", "/proc/nowhere"],
      /--report \/proc\/nowhere isn't writable/,
    ],
  ];
  for (const [name, args, message] of mistakes) {
    test(name, async () => {
      const { code, stdout, stderr } = await callCli(
        ["conform", ...args],
        args.includes("--url") ? CREDENTIALS : {},
      );
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(stderr.trim().split("\n").length, stderr).toBeLessThanOrEqual(2);
      expect(stdout).toBe("");
      expect(code).toBe(3);
    });
  }

  test.each(["CONFORM_URL", "CONFORM_CLIENT_ID", "CONFORM_CONTROL_TOKEN"])("an empty %s", async (name) => {
    const { code, stderr } = await callCli(["conform"], { [name]: "" });
    expect(stderr).toBe(`error: ${name} is empty: set it to a value, or unset it\n`);
    expect(code).toBe(3);
  });

  test("a target without credentials", async () => {
    const { code, stderr } = await callCli(["conform", "--url", "http://127.0.0.1:1"]);
    expect(stderr).toMatch(/no credentials: give --control-url/);
    expect(code).toBe(3);
  });

  test("a level from the environment that leaves no check to run", async () => {
    const { code, stderr } = await callCli(["conform", "--only", "IDEM-5"], { CONFORM_CLAIMS: "events" });
    expect(stderr).toBe("error: no selected check belongs to the claims events: widen CONFORM_CLAIMS\n");
    expect(code).toBe(3);
  });

  const SIGNED_IN = "url: http://127.0.0.1:1\ncredentials: [{ client_id: a, client_secret: b }]\n";
  const files: readonly [string, string, RegExp][] = [
    ["an unknown setting", "urll: http://localhost\n", /: urll is not a setting; did you mean url\?$/m],
    [
      "a setting unlike any",
      "certify: everything\n",
      /: certify is not a setting; the known names are url, image, credentials, .*, max_wait$/m,
    ],
    [
      "an unknown nested setting",
      "url: http://localhost\ncontrol: { url: x, token: y, tokn: z }\n",
      /: control.tokn is not a setting; did you mean token\?$/m,
    ],
    ["a value of another type", "url: 7\n", /: url has to be text \(in quotes if/],
    [
      "a single value for a list",
      "skip: webhooks.*\n",
      /: skip has to be a list, such as \[limits\.\*, LIST-4\]$/m,
    ],
    [
      "a comma-separated list",
      "claims: api,events\n",
      /: claims has to be a list, such as \[api, events\]$/m,
    ],
    [
      "a value for names with values",
      "control: http://localhost/control\n",
      /: control has to be names with values, such as \{url: https:\/\/dispatch\.example\/control\}$/m,
    ],
    [
      "a duration without its unit, which quotes wouldn't fix",
      "timeout: 10\n",
      /: timeout has to be written like 500ms, 10s or 1m$/m,
    ],
    ["a duration in words", "max_wait: 7 minutes\n", /: max_wait has to be written like 90s, 40m or 2h$/m],
    ["nothing in a list", "claims: []\n", /: claims is empty$/m],
    [
      "half of what is needed",
      "credentials: [{ client_id: a }]\n",
      /: credentials\[0\].client_secret is missing$/m,
    ],
    [
      "a point beyond the pole",
      "country_point: { lat: 91, lng: 0 }\n",
      /: country_point.lat has to be at most 90$/m,
    ],
    ["an unknown claim", "claims: [everything]\n", /claims\[0\] has to be api, events, courier or time$/m],
    [
      "an unknown declaration",
      `${SIGNED_IN}without: [closed-stores]\n`,
      /without in .*conform\.yaml: closed-stores is not a case that a server can declare; the cases are closed-credentials/,
    ],
    [
      "an unknown check to skip",
      `${SIGNED_IN}skip: ["nothing.*"]\n`,
      /^error: skip in .*conform\.yaml matches no check and no clause with a check: nothing\.\* \(--list shows all\)$/m,
    ],
    [
      "all checks skipped",
      `${SIGNED_IN}skip: ["*"]\n`,
      /^error: skip in .*conform\.yaml leaves no check to run$/m,
    ],
    ["a file that isn't YAML", "url: [\n", /is not valid YAML/],
    [
      "two documents",
      "url: http://localhost\n---\nurl: http://other\n",
      /is not valid YAML: it contains more than one document: remove everything from the --- at line 2$/m,
    ],
    [
      "a tab for indentation",
      "control:\n\turl: http://localhost\n",
      /is not valid YAML: Tabs are not allowed as indentation at line 2, column 1$/m,
    ],
    [
      "a secret that begins like an alias, not repeated",
      "credentials:\n  - { client_id: a, client_secret: *b }\n",
      /: the value at line 2, column 36 begins with \*, and no anchor has this name: put the value in quotes$/m,
    ],
    [
      "aliases that expand beyond memory",
      `a: &a [x, x, x, x, x, x, x, x, x, x]\n${["b", "c", "d"].map((name, i) => `${name}: &${name} [${`*${"abc"[i]}, `.repeat(10)}]\n`).join("")}`,
      /is not valid YAML: its aliases expand to too much data: write it without them/,
    ],
    [
      "a variable that isn't set",
      "url: http://localhost\ncontrol: { url: http://localhost, token: '$" + "{NOT_SET_AT_ALL}' }\n",
      /\$\{NOT_SET_AT_ALL\}, which the environment doesn't set/,
    ],
  ];
  test("a settings file without a server, found in the current folder", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "conform.yaml"), "");
    const { code, stdout, stderr } = await runCli(["conform", "--quiet"], { cwd });
    expect(stderr).toMatch(/^error: conform\.yaml names no server: .*\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(3);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["UTF-16", Buffer.from("\ufeffurl: x\n", "utf16le"), /is in UTF-16, or isn't text: save it as UTF-8$/m],
    ["UTF-16 in the other byte order", Buffer.from("\ufeffurl: x\n", "utf16le").swap16(), /is in UTF-16/],
    ["UTF-16 without its mark", Buffer.from("url: x\n", "utf16le"), /is in UTF-16/],
    ["Latin-1", Buffer.from("# caf\u00e9\nurl: x\n", "latin1"), /isn't in UTF-8: save it as UTF-8$/m],
    [
      "UTF-8 with a byte order mark, which is valid",
      Buffer.from("\ufeffurl: x\n"),
      /url in \S+ is not a URL: x /,
    ],
  ])("a settings file in %s", async (_, bytes, message) => {
    const { code, stderr } = await callCli(["conform", "--config", file("conform.yaml", bytes)]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n").length, stderr).toBe(1);
    expect(code).toBe(3);
  });

  for (const [name, text, message] of files) {
    test(`in the settings file: ${name}`, async () => {
      const { code, stderr } = await callCli(["conform", "--config", file("conform.yaml", text)]);
      expect(stderr).toMatch(message);
      expect(stderr.trim().split("\n").length, stderr).toBe(1);
      expect(code).toBe(3);
    });
  }

  test("a web page instead of the service", async () => {
    const url = await serveHttp((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    );
    const { code, stderr } = await callCli(["conform", "--url", url], CREDENTIALS);
    expect(stderr).toMatch(/returns 200 with a web page/);
    expect(code).toBe(3);
  });

  test("a server without a token endpoint", async () => {
    const url = await serveHttp(({ url: path }, response) =>
      path === "/healthz"
        ? response.writeHead(200, { "content-type": "application/json" }).end(`{"ok":true}`)
        : response.writeHead(404, { "content-type": "text/html" }).end("<p>Cannot POST"),
    );
    const { code, stderr } = await callCli(["conform", "--url", url], CREDENTIALS);
    expect(stderr).toMatch(/POST \/oauth\/token returns 404 with HTML. Is --url the base URL/);
    expect(stderr.trim().split("\n").length, stderr).toBeLessThanOrEqual(2);
    expect(code).toBe(3);
  });

  test("a URL that redirects to another URL", async () => {
    const url = await serveHttp(({ url: path }, response) =>
      response.writeHead(301, { location: `https://dispatch.example/api${path}` }).end(),
    );
    const { code, stderr } = await callCli(["conform", "--url", url], CREDENTIALS);
    expect(stderr.trim()).toMatch(
      /POST \/oauth\/token returns 301 and points to https:\/\/dispatch\.example\/api: give this URL as --url$/,
    );
    expect(stderr.trim().split("\n").length, stderr).toBe(1);
    expect(code).toBe(3);
  });

  test("a server that never responds", async () => {
    const url = await serveHttp(() => {});
    const { code, stderr } = await callCli(["conform", "--url", url, "--timeout", "1s"], CREDENTIALS);
    expect(stderr).toMatch(/no response within 1 s \(the timeout\)/);
    expect(code).toBe(3);
  });

  test("https for an http port", async () => {
    const url = await serveHttp((_, response) => response.end());
    const https = url.replace("http:", "https:");
    const { code, stderr } = await callCli(["conform", "--url", https], CREDENTIALS);
    expect(stderr).toMatch(
      /it doesn.t respond with TLS: for a port without TLS, give an address with http:\/\//,
    );
    expect(stderr.trim().split("\n").length, stderr).toBe(1);
    expect(code).toBe(3);
  });

  test("a server that closes every connection", async () => {
    const url = await serveHttp((request) => request.socket.destroy());
    const { code, stderr } = await callCli(["conform", "--url", url], CREDENTIALS);
    expect(stderr).toMatch(/closed the connection without a response/);
    expect(code).toBe(3);
  });

  test("wrong credentials, the secret not repeated", async () => {
    const { url } = await aTarget();
    const { code, stdout, stderr } = await callCli(["conform", "--url", url], CREDENTIALS);
    expect(stderr).toMatch(/refuses the credentials of client id pos \(401\)/);
    expect(stdout + stderr).not.toContain(CREDENTIALS.CONFORM_CLIENT_SECRET);
    expect(code).toBe(3);
  });

  test("a wrong control token, not repeated", async () => {
    const { url, controlUrl } = await aTarget();
    const env = { CONFORM_CONTROL_TOKEN: "some-other-token" };
    const { code, stdout, stderr } = await callCli(
      ["conform", "--url", url, "--control-url", controlUrl],
      env,
    );
    expect(stderr).toMatch(
      /--control-url .* can't be used: the control interface responded to .* with 401.*; is CONFORM_CONTROL_TOKEN the control interface's token/,
    );
    expect(stdout + stderr).not.toContain("some-other-token");
    expect(code).toBe(3);
  });
});

test("the longest --timeout doesn't make a timer overflow", async () => {
  const { code, stdout, stderr } = await runCli([
    "conform",
    "--only",
    "delivery-fields.complete",
    "--timeout",
    "576h",
  ]);
  expect(stderr).not.toMatch(/Warning|error/);
  expect(stdout).toMatch(/^INCOMPLETE/m);
  expect(code).toBe(2);
});

test.each([
  ["conform --list --explain IDEM-1", "--list and --explain exclude each other: give one of them"],
  ["client --env-file a --write-env b", "--env-file and --write-env do the same: give one of them"],
  ["samples --json --out a", "--json writes no files: omit --out or --json"],
  ["conform --watch --json", "--watch can't be combined with --json or --json-lines: omit one of them"],
  ["fuzz --rounds x", "--rounds needs --hostile"],
  ["mutants --generated --full", "--full and --generated don't go together: give one of them"],
])("a flag that would be ignored is refused: %s", async (line, message) => {
  const { code, stderr } = await callCli(line.split(" "));
  expect(stderr).toBe(`error: ${message}\n`);
  expect(code).toBe(3);
});

test("the error names the wrong file: a missing key, a report that isn't JSON", async () => {
  const report = file("report.json", "not JSON");
  const { stderr } = await callCli(["verify", report]);
  expect(stderr).toBe(`error: ${report} isn't a report: the file isn't JSON\n`);
  const { publicKeyFrom } = await import("../report/statement/verification.ts");
  expect(() => publicKeyFrom("nosuch")).toThrow(
    "--key nosuch can't be read (ENOENT): give the public key's file, in PEM",
  );
});

test.each([
  [["fuzz", "--hostile", "--gates", "5"], "--hostile and --gates exclude each other: give one of them"],
  [
    ["fuzz", "--gates", "5", "--requests", "5"],
    "--gates and --requests exclude each other: give one of them",
  ],
  [
    ["trigger", "delivery.failed", "--out-of-order", "--parallel"],
    "--out-of-order and --parallel exclude each other: give one of them",
  ],
  [
    ["trigger", "delivery.failed", "--out-of-order", "--single"],
    "--out-of-order needs several events: omit --single",
  ],
  [
    ["trigger", "delivery.failed", "--data", "nowhere.json"],
    "--data nowhere.json can't be read (ENOENT): give an existing file",
  ],
])("%j is refused in one line", async (args, message) => {
  const { code, stderr } = await callCli(args, { CONTROL_TOKEN: "control-token-of-the-test" });
  expect(stderr).toBe(`error: ${message}\n`);
  expect(code).toBe(3);
});

test("a server that isn't a sandbox is reported as such", async () => {
  const url = await serveHttp((_, response) => response.writeHead(501).end());
  const { stderr } = await callCli(["trigger", "delivery.failed", "--control-url", `${url}/control`], {
    CONTROL_TOKEN: "control-token-of-the-test",
  });
  expect(stderr).toBe(`error: ${url} isn't a sandbox of npm run serve: give a sandbox's --control-url\n`);
});
