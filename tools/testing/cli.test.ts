import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterEach, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import reportSchema from "../report/formats/report.schema.json" with { type: "json" };
import { cliPath, runCli, startCli } from "./processes/cli-process.ts";

const folder = () => mkdtempSync(join(tmpdir(), "conform-"));

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

function file(name: string, text: string): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

describe("runs", () => {
  const validate = (() => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    return ajv.compile(reportSchema);
  })();

  test("the embedded server is CONFORMANT in a random order of checks, with a report that fits its schema and stays under 3 MB", async () => {
    const report = folder();
    const { code, stdout } = await runCli(["conform", "--report", report, "--shuffle", "--seed", "5"]);
    expect(stdout).toMatch(/^CONFORMANT {2}\(exit 0\)/m);
    expect(code).toBe(0);
    const written: unknown = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
    expect(validate(written), JSON.stringify(validate.errors)).toBe(true);
    expect(written).toMatchObject({
      verdict: "CONFORMANT",
      exit_code: 0,
      run: { complete: true, faults: [] },
    });
    const sizes = readdirSync(report, { recursive: true }).map(
      (name) => statSync(join(report, String(name))).size,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
  });

  test("a filtered run is INCOMPLETE", async () => {
    const { code, stdout } = await runCli(["conform", "--only", "idempotency.*"]);
    expect(stdout).toMatch(/^INCOMPLETE {2}\(exit 2\)/m);
    expect(stdout).toMatch(/: \d+ of \d+ checks, filtered, on http/);
    expect(stdout).toMatch(/^Filtered by --only or --skip: \d+ of \d+ checks ran/m);
    expect(code).toBe(2);
  });

  test("nothing is written to the user's home", async () => {
    const home = folder();
    const { code } = await runCli(["conform", "--only", "health.ok", "--partial"], { env: { HOME: home } });
    expect(code).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });

  test("with --partial it exits with 0 if the selected checks pass", async () => {
    const { code, stdout } = await runCli(["conform", "--only", "health.ok", "--partial"]);
    expect(stdout).toMatch(/^INCOMPLETE {2}\(exit 0 because of --partial\) {2}1 check, all passed/m);
    expect(stdout).toContain("1/1 check, ");
    expect(stdout).toMatch(/, on http:\/\/127\.0\.0\.1:\d+ \(the embedded reference server\)\n$/);
    expect(code).toBe(0);
  });

  test("the reader of the output may exit after a line, as head does", async () => {
    const { child, ended } = startCli(["conform", "--only", "delivery-fields.*"]);
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await ended;
    expect([0, 141]).toContain(code);
    expect(stderr).toBe("");
  });

  test("with --report, the run continues without a reader", async () => {
    const report = folder();
    const only = ["--only", "idempotency.*", "--partial"];
    const { child, ended } = startCli(["conform", ...only, "--report", report]);
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await ended;
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const written: unknown = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
    expect(written).toMatchObject({ exit_code: 0, run: { faults: [] } });
    expect(written).not.toHaveProperty("run.ended_early");
  });

  test("with --report, the run continues if the output's disk is full", async () => {
    const report = folder();
    const command = `exec "$0" "$1" conform --only health.ok --partial --report "$2" > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", command, process.execPath, cliPath, report], {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "" },
      cwd: report,
    });
    expect(stderr).toBe("error: standard output isn't writable (ENOSPC)\n");
    expect(status).toBe(0);
    expect(readdirSync(report)).toContain("report.json");
  });

  test("--json-lines prints a JSON line for each result when it is found, and the verdict last", async () => {
    const { code, stdout } = await runCli(["conform", "--only", "health", "--json-lines"]);
    const lines: { type: string; check?: string; status?: string; verdict?: string }[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const results = lines.filter(({ type }) => type === "result");
    expect(results.map(({ check }) => check)).toContain("health.ok");
    expect(results.filter(({ status }) => status !== "passed")).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ type: "end", verdict: "INCOMPLETE", exit_code: code });
  });

  test("--json writes the whole report on standard output, and nothing else", async () => {
    const { code, stdout } = await runCli(["conform", "--only", "idempotency.*", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "INCOMPLETE", exit_code: 2 });
    expect(code).toBe(2);
  });

  test("an unreachable receiver is reported in one line; events are INCOMPLETE, and api is unaffected", async () => {
    const controlToken = "control-token-of-the-test";
    const server = await startReferenceServer({ controlToken });
    open.push(() => server.close());
    const config = file(
      "conform.yaml",
      `url: ${server.url}\ncontrol: { url: ${server.controlUrl}, token: ${controlToken} }\nreceiver: { public_url: "https://127.0.0.1:9" }\n`,
    );
    const report = folder();
    const only = "idempotency.same-key-same-body,signatures.*";
    const { code, stdout } = await runCli([
      "conform",
      "--config",
      config,
      "--only",
      only,
      "--report",
      report,
    ]);
    expect(stdout.match(/webhooks don't reach the suite's receiver at https:\/\/127.0.0.1:9/g)).toHaveLength(
      1,
    );
    expect(code).toBe(2);
    const { checks }: { checks: { id: string; status: string }[] } = JSON.parse(
      readFileSync(join(report, "report.json"), "utf8"),
    );
    const ended = (prefix: string) =>
      new Set(checks.filter(({ id }) => id.startsWith(prefix)).map(({ status }) => status));
    expect(ended("signatures.")).toEqual(new Set(["not_verified"]));
    expect(ended("idempotency.same-key-same-body")).toEqual(new Set(["passed"]));
  });

  test("a failing target is NONCONFORMANT, and the failure is explained", async () => {
    const controlToken = "control-token-of-the-test";
    const server = await startReferenceServer({
      controlToken,
      mutate: (deps) => ({ ...deps, phone: { ...deps.phone, international: (phone: string) => phone } }),
    });
    open.push(() => server.close());
    const { code, stdout } = await runCli(
      ["conform", "--url", server.url, "--control-url", server.controlUrl, "--only", "DLV-25"],
      { env: { CONFORM_CONTROL_TOKEN: controlToken } },
    );
    expect(stdout).toMatch(/clause\s+DLV-25 \(MUST/);
    expect(stdout).toMatch(/repeat\s+curl -i -X GET/);
    expect(stdout).toMatch(/authorization: Bearer \$TOKEN/);
    expect(stdout).toMatch(
      /re-run\s+CONFORM_CONTROL_TOKEN="\$CONFORM_CONTROL_TOKEN" npm run conform -- .*--only/,
    );
    expect(stdout).not.toContain(controlToken);
    expect(code).toBe(1);
  });

  test.each([
    ["Ctrl-C", "SIGINT"],
    ["a terminal that is closed", "SIGHUP"],
  ] as const)("%s: the results until then are reported as INCOMPLETE", async (_, signal) => {
    const report = folder();
    const child = startCli(["conform", "--report", report]).child;
    open.push(() => child.kill("SIGKILL"));
    let stdout = "";
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    child.stdout.on("data", (chunk: Buffer) => {
      const begun = stdout !== "";
      stdout += chunk.toString();
      if (!begun) child.kill(signal);
    });
    expect(await ended).toBe(2);
    expect(stdout).toContain("Interrupted");
    const written: unknown = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
    expect(written).toMatchObject({ verdict: "INCOMPLETE", run: { complete: false } });
  });
});
