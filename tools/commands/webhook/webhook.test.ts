import { createHmac } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { keyOf, signatureOf } from "../../../suites/core/signing/webhook-signing.ts";
import { callCli } from "../../testing/processes/cli-in-process.ts";
import { startCli } from "../../testing/processes/cli-process.ts";

const SECRET = `whsec_${Buffer.from("a key of thirty-two bytes, exactly").toString("base64")}`;
const environment = { WEBHOOK_SECRET: SECRET };
const folder = mkdtempSync(join(tmpdir(), "webhook-"));
const BODY =
  '{"id":"e1","type":"delivery.failed","data":{"external_ref":"17","notes":"Ayşe\'nin, \\"kapı\\""}}';
const SENT_AT = 1_900_000_000;

let files = 0;
function fileOf(content: string | Buffer): string {
  files += 1;
  const path = join(folder, String(files));
  writeFileSync(path, content);
  return path;
}

const headersOf = (signature: string, timestamp = String(SENT_AT)) => ({
  "webhook-id": "e1",
  "webhook-timestamp": timestamp,
  "webhook-signature": signature,
});
const signed = (body: string, secret = SECRET, timestamp = String(SENT_AT)) =>
  signatureOf(keyOf(secret), { id: "e1", timestamp, body: Buffer.from(body) });
const requestOf = (headers: object, body: string): string =>
  `POST /hooks HTTP/1.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n")}\r\n\r\n${body}`;
const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const curlOf = (headers: object, body: string): string =>
  `curl https://a.test/hooks ${Object.entries(headers)
    .map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`)
    .join(" \\\n  ")} --data-raw ${inShell(body)}\n`;

const verify = (...args: readonly string[]) => callCli(["webhook", "verify", ...args], environment);
const genuine = headersOf(signed(BODY));

describe("webhook verify", () => {
  test.each([
    ["a curl command", () => [fileOf(curlOf(genuine, BODY))]],
    ["an HTTP request", () => [fileOf(requestOf(genuine, BODY))]],
    ["a file of samples", () => [fileOf(JSON.stringify({ headers: genuine, body: BODY }))]],
    [
      "headers and body in separate files",
      () => ["--headers", fileOf(JSON.stringify(genuine)), "--body", fileOf(BODY)],
    ],
  ])("takes %s", async (_, args) => {
    const { code, stdout, stderr } = await verify(...args(), "--at", "2030-03-17T17:46:45Z");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe("valid: delivery.failed of 17, webhook-id e1\n");
  });

  test("takes standard input", async () => {
    const { child, ended } = startCli(["webhook", "verify"], { env: environment });
    child.stdin?.end(curlOf(genuine, BODY));
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^valid: /) });
  });

  test("accepts the second signature during a rotation, and a line break that an editor adds", async () => {
    const rotated = headersOf(`${signed(BODY, "whsec_b2xk")} ${signed(BODY)}`);
    const { code, stdout } = await verify(fileOf(requestOf(rotated, `${BODY}\n`)));
    expect(code).toBe(0);
    expect(stdout).toContain("note: the file ends in a line break");
  });

  const digest = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const text = `e1.${SENT_AT}.${BODY}`;
  test.each<[string, object, string, RegExp]>([
    ["no signature", { "webhook-id": "e1", "webhook-timestamp": "1" }, BODY, /webhook-signature is missing/],
    [
      "the secret used as text",
      headersOf(`v1,${digest(SECRET, text).toString("base64")}`),
      BODY,
      /signed with the secret's text\n {2}the key is the base64 after whsec_, decoded/,
    ],
    ["hex", headersOf(`v1,${digest(keyOf(SECRET), text).toString("hex")}`), BODY, /signed in hex/],
    [
      "a malformed signature",
      headersOf("sha256=nonsense"),
      BODY,
      /no entry of the form v1,<base64 of 32 bytes>/,
    ],
    ["another secret", headersOf(signed(BODY, "whsec_b3RoZXI=")), BODY, /no common mistake explains it/],
    [
      "a body that was serialized again",
      headersOf(signed(BODY)),
      JSON.stringify(JSON.parse(BODY), null, 2),
      /match this body: it is signed over the body after parsing and serialising it again/,
    ],
    [
      "milliseconds",
      headersOf(signed(BODY, SECRET, `${SENT_AT}000`), `${SENT_AT}000`),
      BODY,
      /webhook-timestamp is in milliseconds/,
    ],
  ])("names the mistake: %s", async (_, headers, body, words) => {
    const { code, stdout, stderr } = await verify(fileOf(requestOf(headers, body)));
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^invalid: /);
    expect(stdout).toMatch(words);
    expect(stdout).not.toContain(SECRET);
  });

  test("an old webhook is stale if its arrival time is known; otherwise there is a note", async () => {
    const late = await verify(fileOf(curlOf(genuine, BODY)), "--at", "2030-03-17T17:51:41Z");
    expect(late).toMatchObject({ code: 1, stdout: expect.stringMatching(/stale: 5 minutes old/) });
    const old = headersOf(signed(BODY, SECRET, "1000"), "1000");
    const captured = await verify(fileOf(curlOf(old, BODY)), "--json");
    expect(captured.code).toBe(0);
    expect(JSON.parse(captured.stdout)).toMatchObject({
      valid: true,
      notes: [expect.stringMatching(/days old/)],
    });
  });

  test.each<[readonly string[], Record<string, string>, RegExp]>([
    [[fileOf("{}")], {}, /no secret: set WEBHOOK_SECRET/],
    [[fileOf("{}")], { WEBHOOK_SECRET: "hush" }, /doesn't begin with whsec_/],
    [[fileOf("{}")], environment, /isn't a file of npm run samples/],
    [[fileOf("hello")], environment, /this isn't a captured webhook/],
    [[join(folder, "nowhere")], environment, /nowhere can't be read \(ENOENT\)/],
    [[fileOf("curl http://a -d 'open")], environment, /a quote that isn't closed/],
    [[fileOf("curl http://a")], environment, /the curl command has 0 bodies/],
    [["--body", fileOf(BODY)], environment, /--headers and --body go together/],
    [[fileOf(curlOf(genuine, BODY)), "--at", "noon"], environment, /--at takes a time with its zone/],
  ])("reports missing input in one line: %j", async (args, given, words) => {
    const { code, stderr } = await callCli(["webhook", "verify", ...args], given);
    expect(code).toBe(3);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain("hush");
  });
});

describe("webhook sign", () => {
  const sign = (...args: readonly string[]) => callCli(["webhook", "sign", ...args], environment);

  test("prints headers that the library of Standard Webhooks verifies", async () => {
    const { code, stdout } = await sign("--body", fileOf(BODY), "--json");
    expect(code).toBe(0);
    const { headers }: { headers: Record<string, string> } = JSON.parse(stdout);
    expect(headers["webhook-id"]).toBe("e1");
    expect(new Webhook(SECRET).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  test("prints a curl command that verify accepts, and signs a captured webhook again", async () => {
    const { stdout } = await sign(fileOf(curlOf(genuine, BODY)), "--url", "http://localhost:3000/hooks");
    expect(stdout).toMatch(/^curl 'http:\/\/localhost:3000\/hooks' -H 'content-type: application\/json'/);
    expect(stdout).not.toContain(String(SENT_AT));
    expect(await verify(fileOf(stdout))).toMatchObject({ code: 0 });
  });

  test("the secret can come from a file", async () => {
    const args = ["webhook", "sign", "--body", fileOf(BODY), "--at", "2030-03-17T17:46:40Z"];
    const { stdout } = await callCli([...args, "--secret-file", fileOf(`${SECRET}\n`)]);
    expect(stdout).toContain(`webhook-signature: ${signed(BODY)}`);
  });

  test("an event without an id needs one", async () => {
    const { code, stderr } = await sign("--body", fileOf("[]"));
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: "error: the event has no id for the webhook-id: give an id with --id\n",
    });
  });
});
