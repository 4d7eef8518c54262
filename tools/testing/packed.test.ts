import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const LONGEST_MS = 280_000;

/** Runs a program as someone would who has the right Node on the path, and nothing of this repository. */
function run(cwd: string, program: string, ...args: readonly string[]) {
  const PATH = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { PATH, HOME: process.env.HOME ?? "", npm_config_registry: process.env.npm_config_registry ?? "" },
    timeout: LONGEST_MS,
  });
  return { status, stdout, stderr };
}

const OWN_TEST = `
import { checks, defineTarget, readLedger } from "courier-conform";

const target = defineTarget({ url: "http://127.0.0.1:9", credentials: [{ client_id: "a", client_secret: "b" }] });
const [check] = checks.filter(({ id }) => id === "courier.assignment");
if (!check) throw new Error("no such check");
const { status } = await target.examine(check);
console.log(checks.length > 300, readLedger().clauses.length > 600, status);
await target.close();
`;

/** Its dependencies come from the registry, which a plain test run may be without. */
const withRegistry = process.env.REQUIRE_SERVICES === "1";

describe.runIf(withRegistry)("the package, installed from its tarball into an empty folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "packed-"));

  beforeAll(() => {
    expect(run(repository, "npm", "pack", "--pack-destination", folder)).toMatchObject({ status: 0 });
    const [tarball = ""] = readdirSync(folder);
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
    expect(run(folder, "npm", "install", ...flags, `./${tarball}`)).toMatchObject({ status: 0 });
  }, LONGEST_MS);

  test("npx courier-conform certifies the embedded server", { timeout: LONGEST_MS }, () => {
    const { status, stdout } = run(folder, "npx", "courier-conform", "conform", "--only", "idempotency.*");
    expect(stdout).toMatch(/^INCOMPLETE {2}\(exit 2\)/m);
    expect(stdout).not.toContain("FAILED");
    expect(status).toBe(2);
  });

  test("npx courier-conform explains a check", { timeout: LONGEST_MS }, () => {
    const { stdout } = run(folder, "npx", "courier-conform", "conform", "--explain", "paging.ends");
    expect(stdout).toContain("Why it matters");
    expect(stdout).toMatch(/GET \/v1\/deliveries\?/);
  });

  test("tests of one's own import the checks and a target, with their types", { timeout: LONGEST_MS }, () => {
    writeFileSync(join(folder, "own.mts"), OWN_TEST);
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
    const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
    expect(run(folder, process.execPath, tsc, ...flags, ...types, "own.mts")).toMatchObject({ status: 0 });
    expect(run(folder, process.execPath, "own.mts").stdout).toBe("true true not_testable\n");
  });
});
