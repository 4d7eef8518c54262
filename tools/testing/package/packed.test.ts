import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const LONGEST_MS = 560_000;
const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs a program as someone would who has the right Node on the path, and nothing of this repository. */
function run(cwd: string, program: string, ...args: readonly string[]) {
  const PATH = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
  // The registry and its authority, as this machine knows them.
  const { HOME = "", npm_config_registry = "", NODE_EXTRA_CA_CERTS = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { PATH, HOME, npm_config_registry, NODE_EXTRA_CA_CERTS },
    // No limit of a test's ends what this thread itself waits for.
    timeout: LONGEST_MS,
  });
  return { status, stdout, stderr };
}

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

/** Its dependencies come from the registry, which a plain test run may be without. */
const withRegistry = process.env.REQUIRE_SERVICES === "1";

describe.runIf(withRegistry)("the package, installed from its tarball into an empty folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "packed-"));

  let tarballFile = "";

  beforeAll(() => {
    const packed = run(repository, "npm", "pack", "--pack-destination", folder);
    expect(packed.status, `npm pack: ${packed.stdout}${packed.stderr}`).toBe(0);
    const [tarball = ""] = readdirSync(folder);
    tarballFile = join(folder, tarball);
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
    expect(run(folder, "npm", "install", ...flags, `./${tarball}`)).toMatchObject({ status: 0 });
  });

  test("could be published, with what people need and nothing else", () => {
    const { status, stdout } = run(folder, "npm", "publish", "--dry-run", "--json", tarballFile);
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

  test("npx courier-conform certifies the embedded server", () => {
    const { status, stdout } = run(folder, "npx", "courier-conform", "conform", "--only", "idempotency.*");
    expect(stdout).toMatch(/^INCOMPLETE {2}\(exit 2\)/m);
    expect(stdout).not.toContain("FAILED");
    expect(status).toBe(2);
  });

  test("npx courier-conform explains a check", () => {
    const { stdout } = run(folder, "npx", "courier-conform", "conform", "--explain", "paging.ends");
    expect(stdout).toContain("Why it matters");
    expect(stdout).toMatch(/GET \/v1\/deliveries\?/);
  });

  /** What the compiler says to a file of the folder, and what it prints when it is run. */
  function checkAndRun(name: string, source: string) {
    writeFileSync(join(folder, name), source);
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
    const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
    const compiled = run(folder, process.execPath, tsc, ...flags, "--resolveJsonModule", ...types, name);
    expect(compiled).toMatchObject({ status: 0, stdout: "" });
    return run(folder, process.execPath, name).stdout;
  }

  test("tests of one's own import the checks and a target, with their types", () => {
    expect(checkAndRun("own.mts", OWN_TEST)).toBe("true true not_testable\n");
  });

  test("npx courier-conform samples writes a signed event of each kind", () => {
    const { status, stdout } = run(folder, "npx", "courier-conform", "samples", "--out", "events");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("16 events in events") });
    expect(readdirSync(join(folder, "events"))).toHaveLength(16);
  });

  test("a client of one's own is checked against the API's types, and reads its document", () => {
    expect(checkAndRun("client.mts", OWN_CLIENT)).toBe("3.1.0 true 0\ntrue\n");
  });
});
