import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { callCli } from "../../testing/processes/cli-in-process.ts";
import { openPlainReceiver } from "../../testing/sandbox/plain-receiver.ts";
import { type SandboxProcess, startSandbox } from "../../testing/sandbox/sandbox-process.ts";

const TOKEN = "control-token-of-the-test";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serve(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const sandbox = await startSandbox(args, { CONTROL_TOKEN: TOKEN, ...environment });
  open.push(() => sandbox.kill());
  return sandbox;
}

const trigger = ({ url }: SandboxProcess, ...args: readonly string[]) =>
  callCli(["trigger", ...args, "--control-url", `${url}/control`], { CONTROL_TOKEN: TOKEN });

const tokenIn = async (response: Response) =>
  String(Reflect.get(Object(await response.json()), "access_token"));
const aDatabase = (): string => join(mkdtempSync(join(tmpdir(), "serve-")), "sandbox.db");
const printed = (stdout: string, name: string) => new RegExp(`^ +${name} +(.+)$`, "m").exec(stdout)?.[1];

describe("serve --forward-to", () => {
  test("prints the secret that verifies the first delivery's events, and the receiver's responses", async () => {
    const sandbox = await serve(["--forward-to", "http://localhost:1/hooks"]);
    const secret = printed(sandbox.stdout, "signed with") ?? "";
    expect(secret).toMatch(/^whsec_/);
    const receiver = await openPlainReceiver(SECRET);
    open.push(() => receiver.close());
    const other = await serve(["--forward-to", receiver.url, "--secret", SECRET]);
    expect(other.stdout).not.toContain(SECRET);
    await trigger(other, "delivery.queued");
    await expect
      .poll(() => receiver.arrivals.map(({ type }) => type))
      .toEqual(["delivery.created", "delivery.queued"]);
    await expect
      .poll(() => other.outputSoFar().stdout)
      .toMatch(/^delivery\.queued of order \S+, version 1 {2}-> {2}204 in \d+ ms {2}\(webhook-id \S+\)$/m);
    expect(receiver.refused()).toBe(0);
  });

  test("prints failures and the time of the next attempt, and sends the second attempt after 5 s", async () => {
    let failures = 1;
    const receiver = await openPlainReceiver(SECRET, () => (failures-- > 0 ? 500 : 204));
    open.push(() => receiver.close());
    const sandbox = await serve(["--forward-to", receiver.url], { WEBHOOK_SECRET: SECRET });
    await trigger(sandbox, "created", "--single");
    await expect
      .poll(() => sandbox.outputSoFar().stdout)
      .toMatch(/-> {2}500 in \d+ ms; attempt 1 of 8, next attempt in 5 s/);
    await expect.poll(() => sandbox.outputSoFar().stdout).toMatch(/-> {2}204 in \d+ ms, attempt 2/);
    expect(new Set(receiver.arrivals.map(({ webhookId }) => webhookId)).size).toBe(1);
  });

  test("explains a refused connection, a 401 and a 410", async () => {
    const receiver = await openPlainReceiver(SECRET, () => 410);
    open.push(() => receiver.close());
    const closed = await serve(["--forward-to", receiver.url], { WEBHOOK_SECRET: SECRET });
    await trigger(closed, "created", "--single");
    await expect
      .poll(() => closed.outputSoFar().stdout)
      .toMatch(/-> {2}410 in \d+ ms; that disables the endpoint: restart/);
    const forgotten = await serve(["--forward-to", receiver.url]);
    await trigger(forgotten, "created", "--single");
    await expect
      .poll(() => forgotten.outputSoFar().stdout)
      .toMatch(/-> {2}401 \(does it verify with the secret above\?\)/);
    const nobody = await serve(["--forward-to", "http://127.0.0.1:1/hooks"]);
    await trigger(nobody, "created", "--single");
    await expect
      .poll(() => nobody.outputSoFar().stdout)
      .toMatch(/no response: nothing listens there; attempt 1 of 8/);
  });

  test("sends to several receivers, with additional headers and one secret", async () => {
    const [one, other] = await Promise.all([openPlainReceiver(SECRET), openPlainReceiver(SECRET)]);
    open.push(one.close, other.close);
    const bare = (url: string) => url.replace("http://", "");
    const args = [
      "--forward-to",
      bare(one.url),
      "--forward-to",
      bare(other.url),
      "--forward-header",
      "x-tenant: moda",
    ];
    const sandbox = await serve(args, { WEBHOOK_SECRET: SECRET });
    await trigger(sandbox, "created", "--single");
    for (const { arrivals, refused } of [one, other]) {
      await expect.poll(() => arrivals.map(({ headers }) => headers["x-tenant"])).toEqual(["moda"]);
      expect(refused()).toBe(0);
    }
    await expect.poll(() => sandbox.outputSoFar().stdout).toContain(`->  ${other.url}  ->  204 in`);
  });

  test("doesn't let API clients register a private address", async () => {
    const sandbox = await serve(["--json", "--forward-to", "http://localhost:1/hooks"]);
    const { url, client_id, client_secret }: Record<string, string> = JSON.parse(sandbox.stdout);
    const post = async (path: string, body: object, token = "") => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    };
    const grant = { grant_type: "client_credentials", client_id, client_secret };
    const access_token = await tokenIn(await post("/oauth/token", grant));
    const addresses = ["http://localhost:1/hooks", "https://localhost:1/hooks", "https://127.0.0.1:1/hooks"];
    for (const address of addresses) {
      expect([address, (await post("/v1/webhooks", { url: address }, access_token)).status]).toEqual([
        address,
        400,
      ]);
    }
  });
});

describe("serve --logs", () => {
  const request = async ({ stdout, url }: SandboxProcess, path: string) => {
    const [client_id, client_secret] = ["client_id", "client_secret"].map((name) => printed(stdout, name));
    const body = JSON.stringify({ grant_type: "client_credentials", client_id, client_secret });
    const headers = { "content-type": "application/json" };
    const token = await tokenIn(await fetch(`${url}/oauth/token`, { method: "POST", headers, body }));
    await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  };

  test("prints each request and each event in a line", async () => {
    const sandbox = await serve(["--logs"]);
    await request(sandbox, "/v1/stores?a=b");
    await request(sandbox, "/v1/deliveries/nothing");
    await trigger(sandbox, "created", "--single");
    const said = () => sandbox.outputSoFar().stdout;
    await expect.poll(said).toMatch(/^POST \/oauth\/token {2}-> {2}200 in \d+ ms$/m);
    await expect.poll(said).toMatch(/^GET \/v1\/stores\?a=b {2}-> {2}200 in \d+ ms$/m);
    await expect.poll(said).toMatch(/^GET \/v1\/deliveries\/nothing {2}-> {2}404 BULUNAMADI in \d+ ms$/m);
    await expect
      .poll(said)
      .toMatch(/^delivery\.created of order \S+, version 1 {2}-> {2}https:\/\/inbox\S+ {2}-> {2}200 in/m);
  });

  test("prints only errors", async () => {
    const sandbox = await serve(["--logs", "errors", "--error-rate", "100%", "--forward-to", "localhost:1"]);
    const response = await fetch(`${sandbox.url}/oauth/token`, { method: "POST" });
    expect(response.status).toBe(415);
    await trigger(sandbox, "created", "--single");
    const said = () =>
      sandbox
        .outputSoFar()
        .stdout.split("\n")
        .filter((line) => line.includes("  ->  "));
    await expect.poll(said).toHaveLength(2);
    expect(said().toSorted()).toEqual([
      expect.stringMatching(/^POST \/oauth\/token {2}-> {2}415/),
      expect.stringMatching(/^delivery\.created .*nothing listens there/),
    ]);
    expect(sandbox.stdout).toContain("Faults         0 ms delay, 100% errors (500)");
  });
});

describe("a sandbox that stays", () => {
  test("keeps credentials, codes and secret across starts, and marks used codes", async () => {
    const args = ["--database", aDatabase(), "--forward-to", "http://localhost:1/hooks", "--no-simulator"];
    const first = await serve(args);
    const names = ["client_id", "client_secret", "Pairing codes", "signed with"];
    const before = names.map((name) => printed(first.stdout, name));
    expect(before.every((value) => value !== undefined)).toBe(true);
    const [code = "", other = ""] = before[2]?.split(/ +/) ?? [];
    const lines = first.stdout.split("\n").filter((line) => /^ {2}TOKEN=/.test(line));
    expect(lines.join()).toContain(before[1]);
    first.stop();
    expect(await first.ended).toBe(0);
    const second = await serve(args);
    expect(names.map((name) => printed(second.stdout, name))).toEqual(before);
    await link(second, before[0] ?? "", before[1] ?? "", code);
    second.stop();
    await second.ended;
    const third = await serve(args);
    expect(printed(third.stdout, "Pairing codes")).toMatch(
      new RegExp(`^${other} {3}[A-Z2-9-]{14} {3}\\(used: ${code}\\)$`),
    );
  });

  test("uses given credentials and codes, and doesn't print a given secret", async () => {
    const environment = {
      CLIENT_ID: "my-pos",
      CLIENT_SECRET: "a-secret-of-my-own",
      PAIRING_CODE: "MY-CODE-1",
    };
    const sandbox = await serve([], environment);
    expect(sandbox.stdout).not.toContain(environment.CLIENT_SECRET);
    expect(printed(sandbox.stdout, "client_id")).toBe("my-pos");
    expect((await link(sandbox, "my-pos", environment.CLIENT_SECRET, "MY-CODE-1")).status).toBe(201);
  });

  test("no longer sends to an address that was removed from the flags", async () => {
    const receiver = await openPlainReceiver(SECRET);
    open.push(() => receiver.close());
    const database = aDatabase();
    const first = await serve(["--database", database, "--forward-to", "http://127.0.0.1:1/old"]);
    first.stop();
    await first.ended;
    const second = await serve(["--database", database, "--forward-to", receiver.url, "--secret", SECRET]);
    const { stdout } = await trigger(second, "created", "--single");
    expect(stdout.match(/ to http\S+/g)).toEqual([` to ${receiver.url}`]);
    await expect.poll(() => receiver.arrivals.length).toBe(1);
  });
});

async function link({ url }: SandboxProcess, client_id: string, client_secret: string, pairing_code: string) {
  const json = { "content-type": "application/json" };
  const grant = JSON.stringify({ grant_type: "client_credentials", client_id, client_secret });
  const token = await fetch(`${url}/oauth/token`, { method: "POST", headers: json, body: grant });
  const access_token = await tokenIn(token);
  return fetch(`${url}/v1/stores`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${access_token}` },
    body: JSON.stringify({
      external_store_id: "moda",
      pairing_code,
      name: "Moda",
      address: { text: "Moda 12" },
    }),
  });
}

describe("serve reports an error in one line", () => {
  const oneLine = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const { code, stderr } = await callCli(["serve", ...args], environment);
    expect(code).toBe(3);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    return stderr;
  };
  const to = ["--forward-to", "http://localhost:3000/hooks"];

  test.each([
    [
      ["--forward-to", "localhost/hooks"],
      /^error: --forward-to takes a host and port, or an http or https URL, such as localhost/,
    ],
    [["--forward-to", "ftp://localhost/hooks"], /takes a host and port, or an http or https URL/],
    [["--forward-to", "http://me:word@localhost/hooks"], /must not contain a user or password/],
    [["--forward-to", "http://localhost/hooks#here"], /must have no # part/],
    [[...to, "--secret", "my-own-secret"], /the secret doesn't begin with whsec_/],
    [[...to, "--secret", "whsec_!!!!"], /isn't base64/],
    [["--secret", SECRET], /--secret needs a receiver: --forward-to/],
    [["--events", "all"], /--events needs a receiver: --forward-to/],
    [
      [...to, "--events", "delivery.vanished"],
      /--events takes all, or event types .* not delivery\.vanished/,
    ],
    [["--couriers", "0"], /--couriers takes a whole number from 1 to 200, not 0/],
    [["--client-id", "my pos"], /--client-id takes up to 200 .* without spaces/],
  ])("%j", async (args, words) => {
    const stderr = await oneLine(args);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/my-own-secret|!!!!|me:word/);
  });

  test("a port in use", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    open.push(() => taken.close());
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await oneLine(["--port", String(port)])).toBe(
      `error: can't serve on port ${port}: something listens there already (EADDRINUSE); give another --port or --host\n`,
    );
  });

  test("a database of a newer version, which isn't changed", async () => {
    const database = aDatabase();
    const sandbox = await serve(["--database", database]);
    sandbox.stop();
    await sandbox.ended;
    const file = new DatabaseSync(database);
    file.exec("insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '2099')");
    file.close();
    expect(await oneLine(["--port", "0", "--database", database])).toMatch(
      /^error: can't use the database .*sandbox\.db: a newer version of this server has migrated it/,
    );
  });

  test.each(["x", "a long text file instead of a database".repeat(100)])(
    "a file that isn't a database, which isn't changed",
    async (words) => {
      const text = aDatabase();
      writeFileSync(text, words, { mode: 0o644 });
      expect(await oneLine(["--port", "0", "--database", text])).toMatch(
        /^error: can't use the database .*: it isn't a SQLite database; give another file$/m,
      );
      expect(readFileSync(text, "utf8")).toBe(words);
      expect(statSync(text).mode & 0o777).toBe(0o644);
      expect(existsSync(`${text}.key`)).toBe(false);
    },
  );

  test("a folder, which stays as it is", async () => {
    const place = aDatabase();
    mkdirSync(place);
    expect(await oneLine(["--port", "0", "--database", place])).toMatch(
      /^error: can't use the database .*: it is a folder; give a file$/m,
    );
    expect(existsSync(`${place}.key`)).toBe(false);
  });

  test("a folder that isn't there", async () => {
    expect(await oneLine(["--port", "0", "--database", "/nowhere/at/all.db"])).toMatch(
      /^error: can't use the database/,
    );
  });
});
