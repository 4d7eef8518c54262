import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { mutantOf } from "../../../suites/server/mutants/index.ts";

const LONGEST_MS = 560_000;
const repository = fileURLToPath(new URL("../../..", import.meta.url));
/** Readable by the other user. */
const top = mkdtempSync(join(tmpdir(), "packed-"));
/** Node in a folder that the other user can read. */
const node = join(top, "programs", "node");

interface Where {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program with the right Node on the path, and without anything of this repository. */
function runIn({ cwd, env = {} }: Where, program: string, ...args: readonly string[]) {
  const PATH = [dirname(node), dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(
    delimiter,
  );
  // This machine's settings for the registry and its CA.
  const { HOME = "", npm_config_registry = "", NODE_EXTRA_CA_CERTS = "" } = process.env;
  const options = {
    cwd,
    env: { PATH, HOME, npm_config_registry, NODE_EXTRA_CA_CERTS, ...env },
    timeout: LONGEST_MS,
    maxBuffer: Number.POSITIVE_INFINITY,
  };
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}
const run = (cwd: string, program: string, ...args: readonly string[]) => runIn({ cwd }, program, ...args);

const OWN_TEST = `
import { checks, defineTarget, readClauseList } from "courier-conform";

const target = defineTarget({ url: "http://127.0.0.1:9", credentials: [{ client_id: "a", client_secret: "b" }] });
const [check] = checks.filter(({ id }) => id === "courier.assignment");
if (!check) throw new Error("no such check");
const { status } = await target.examine(check);
console.log(checks.length > 300, readClauseList().clauses.length > 600, status);
await target.close();
`;

const OWN_CLIENT = `
import document from "courier-conform/openapi.json" with { type: "json" };
import collection from "courier-conform/postman_collection.json" with { type: "json" };
import type { Delivery, EventKind, NewDelivery, paths, Schemas, WebhookEvent } from "courier-conform/types";
import createClient from "openapi-fetch";

const dropoff: Schemas["NewDropoff"] = { text: "Bağdat Caddesi 220, Kadıköy", lat: 40.9702, lng: 29.0571 };
const order: NewDelivery = {
  external_ref: "A-1",
  store: { external_store_id: "moda" },
  customer: { name: "Ayşe Yılmaz", phone: "0532 555 01 23" },
  dropoff,
  payment: { type: "NAKIT", amount_due: 245.5 },
};
// @ts-expect-error: an address needs its text
export const nowhere: Schemas["NewDropoff"] = { lat: 40.9702, lng: 29.0571 };
// @ts-expect-error: there is no such kind
export const unknown: EventKind = "delivery.teleported";
const versionOf = ({ data }: WebhookEvent): number => data?.version ?? 0;

const { POST } = createClient<paths>({ baseUrl: "http://127.0.0.1:9" });
export async function send(key: string): Promise<Delivery | undefined> {
  // @ts-expect-error: a creation needs its key
  await POST("/v1/deliveries", { body: order });
  const { data } = await POST("/v1/deliveries", { params: { header: { "Idempotency-Key": key } }, body: order });
  return data;
}
const kinds: readonly EventKind[] = ["delivery.created", "webhook.test"];
const event: WebhookEvent = { id: "1", type: "webhook.test", timestamp: "2030-05-01T15:31:00Z", data: null };
console.log(document.openapi, kinds.every((kind) => kind in document.webhooks), versionOf(event));
console.log(collection.item.length > 5);
`;

const OWN_VALIDATION = `
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import settings from "courier-conform/conform.schema.json" with { type: "json" };
import report from "courier-conform/report.schema.json" with { type: "json" };
import { parse } from "yaml";

const isValid = (schema: object, value: unknown) => new Ajv2020({ strict: false, validateFormats: false }).validate(schema, value);
const made = JSON.parse(readFileSync("passing/report.json", "utf8"));
console.log(isValid(settings, parse(readFileSync("conform.yaml", "utf8"))), isValid(settings, { url: 1 }));
console.log(isValid(report, made), isValid(report, { ...made, verdict: "GOOD" }));
`;

const MANAGERS = ["pnpm@12.21.0", "yarn@1.22.22"];
/** Each with its defaults, and without automatic peers if it has them. */
const INSTALLS: Readonly<Record<string, readonly string[]>> = {
  "npm without automatic peers": ["npm", "install", "--legacy-peer-deps"],
  pnpm: ["pnpm", "add"],
  "pnpm without automatic peers": ["pnpm", "add", "--config.auto-install-peers=false"],
  "yarn 1": ["yarn", "add"],
};
const OTHER_USER = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/** The dependencies come from the registry, which an ordinary test run may not reach. */
const withRegistry = process.env.REQUIRE_SERVICES === "1";

describe.runIf(withRegistry)("the package, installed from its tarball into an empty folder", () => {
  const folder = join(top, "npm");
  const programs = join(top, "programs");
  const bin = (place: string) => join(place, "node_modules/.bin/courier-conform");
  let tarballFile = "";

  beforeAll(async () => {
    chmodSync(top, 0o711);
    for (const made of [folder, programs]) mkdirSync(made);
    // A child process of this test's process could inherit the open file, so that it couldn't be run.
    expect(await run(top, "cp", process.execPath, node)).toMatchObject({ status: 0 });
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
    const [packed, managers] = await Promise.all([
      run(repository, "npm", "pack", "--pack-destination", top),
      run(programs, "npm", "install", "--prefix", programs, ...flags, ...MANAGERS),
    ]);
    expect(packed.status, `npm pack: ${packed.stdout}${packed.stderr}`).toBe(0);
    expect(managers).toMatchObject({ status: 0 });
    tarballFile = join(top, readdirSync(top).find((name) => name.endsWith(".tgz")) ?? "");
    expect(await run(folder, "npm", "install", ...flags, tarballFile)).toMatchObject({ status: 0 });
  });

  test("contains exactly the files to publish", async () => {
    const { status, stdout } = await run(folder, "npm", "publish", "--dry-run", "--json", tarballFile);
    expect(status).toBe(0);
    const published: Record<string, { files: { path: string }[] }> = JSON.parse(stdout);
    const paths = Object.values(published).flatMap(({ files }) => files.map(({ path }) => path));
    expect(paths).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "bin/courier-conform.js",
        "dist/index.d.ts",
        "dist/sandbox/pages/generated/console/main.js",
        "dist/tools/report/diagnosis/known-faults.json",
      ]),
    );
    expect(
      paths.filter((path) => /\.test\.|\/testing\/|(?<!\.d)\.tsx?$|report\.(json|html)$/.test(path)),
    ).toEqual([]);
  });

  test("npx courier-conform certifies the embedded server", async () => {
    const { status, stdout } = await run(
      folder,
      "npx",
      "courier-conform",
      "conform",
      "--only",
      "idempotency.*",
    );
    expect(stdout).toMatch(/^INCOMPLETE {2}\(exit 2\)/m);
    expect(stdout).not.toContain("FAILED");
    expect(status).toBe(2);
  });

  test("it has no commands for the suite's maintainers", async () => {
    const { stdout } = await run(folder, bin(folder), "--help");
    expect(stdout).toMatch(/^ {2}conform /m);
    expect(stdout).not.toMatch(/^ {2}(mutants|bench|fuzz) /m);
    expect(await run(folder, bin(folder), "mutants")).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^error: unknown command 'mutants'/),
    });
  });

  test("npx courier-conform explains a check", async () => {
    const { stdout } = await run(folder, "npx", "courier-conform", "conform", "--explain", "paging.limit");
    expect(stdout).toContain("Why it matters");
    expect(stdout).toMatch(/GET \/v1\/deliveries\?/);
  });

  /** The compiler's output for a file of the folder, and the file's own output. */
  async function checkAndRun(name: string, source: string) {
    writeFileSync(join(folder, name), source);
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
    const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
    const compiled = await run(folder, node, tsc, ...flags, "--resolveJsonModule", ...types, name);
    expect(compiled).toMatchObject({ status: 0, stdout: "" });
    return (await run(folder, node, name)).stdout;
  }

  test("a user's tests can import the checks and a target, with types", async () => {
    expect(await checkAndRun("own.mts", OWN_TEST)).toBe("true true not_verified\n");
  });

  test("npx courier-conform samples writes a signed event of each kind", async () => {
    const { status, stdout } = await run(folder, "npx", "courier-conform", "samples", "--out", "events");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("16 events in events") });
    expect(readdirSync(join(folder, "events"))).toHaveLength(16);
  });

  test("a user's client can use the API's types and its OpenAPI document", async () => {
    expect(await checkAndRun("client.mts", OWN_CLIENT)).toBe("3.1.0 true 0\ntrue\n");
  });

  test("it is small: under 90 packages and 50 MB", async () => {
    const { stdout: packages } = await run(folder, "npm", "ls", "--omit=dev", "--all", "--parseable");
    expect(packages.trim().split("\n").length).toBeLessThan(90);
    const { stdout: size } = await run(folder, "du", "-sm", "node_modules");
    expect(Number.parseInt(size, 10)).toBeLessThan(50);
  });

  test.concurrent.for(Object.entries(INSTALLS))(
    "%s installs it, and another user runs it in a read-only folder",
    async ([name, [manager = "", ...words]], { expect }) => {
      const place = join(top, name);
      mkdirSync(place);
      writeFileSync(join(place, "package.json"), "{}");
      writeFileSync(join(place, "own.mjs"), OWN_TEST);
      const PATH = [programs, join(programs, "node_modules/.bin"), "/usr/local/bin", "/usr/bin", "/bin"].join(
        delimiter,
      );
      const installed = await runIn(
        { cwd: place, env: { PATH, HOME: place } },
        manager,
        ...words,
        tarballFile,
      );
      expect(installed).toMatchObject({ status: 0 });
      expect((await run(place, "chmod", "-R", "a-w,a+rX", ".")).status).toBe(0);
      const asOther = (...command: readonly [string, ...string[]]) =>
        process.getuid?.() === 0 ? run(place, "setpriv", ...OTHER_USER, ...command) : run(place, ...command);
      const certified = await asOther(bin(place), "conform", "--only", "health", "--partial");
      expect(certified).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^INCOMPLETE .* all passed/m),
      });
      expect(await asOther(node, "own.mjs")).toMatchObject({ stdout: "true true not_verified\n" });
    },
  );

  test("init, a run, diff and submit work together", async () => {
    const CONFORM_CONTROL_TOKEN = "a-control-token-of-the-test";
    const controlToken = CONFORM_CONTROL_TOKEN;
    const server = await startReferenceServer({ controlToken });
    const faulty = await startReferenceServer({
      controlToken,
      mutate: mutantOf("health-ok-is-text").mutate,
    });
    const cli = (...args: readonly string[]) =>
      runIn({ cwd: folder, env: { CONFORM_CONTROL_TOKEN } }, bin(folder), ...args);
    const written = await cli("init", "--url", server.url, "--control-url", server.controlUrl);
    expect(written).toMatchObject({ status: 0, stdout: expect.stringContaining("conform.yaml is written.") });

    const at = ["--url", faulty.url, "--control-url", faulty.controlUrl];
    const failing = await cli("conform", ...at, "--only", "health", "--bail", "--report", "failing");
    expect(failing).toMatchObject({ status: 1, stdout: expect.stringMatching(/^FAILED {2}health\.ok$/m) });
    expect(failing.stdout).toMatch(/ npx courier-conform conform --url \S+ .*--only health\.ok/);
    expect(failing.stdout).not.toContain("npm run");
    const again = await cli("conform", ...at, "--last-failed");
    expect(again).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^NONCONFORMANT .* 1 check, 0 passed/m),
    });

    const passing = await cli(
      "conform",
      "--only",
      "health",
      "--partial",
      "--report",
      "passing",
      "--json-lines",
    );
    expect(passing.status).toBe(0);
    const lines = passing.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: "end", verdict: "INCOMPLETE" });
    expect(await checkAndRun("validation.mts", OWN_VALIDATION)).toBe("true false\ntrue false\n");

    expect(await cli("mcp")).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^error: mcp needs the package .*: npm install \S+ \S+\n$/),
    });

    const compared = await cli("diff", "failing", "passing");
    expect(compared).toMatchObject({ status: 0, stdout: expect.stringMatching(/^fixed +1: health\.ok$/m) });
    const maker = ["--name", "Acme", "--release", "1.0.0", "--by", "Acme", "--url", "https://acme.example"];
    const handedIn = await cli("submit", "passing", ...maker);
    expect(handedIn).toMatchObject({ status: 1, stdout: expect.stringContaining("filtered by --only") });
    await Promise.all([server.close(), faulty.close()]);
  });
});
