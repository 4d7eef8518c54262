/** Runs the steps of the pipeline in docs/ci.md that compares with the last release. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import { member } from "../../suites/core/json.ts";
import { read } from "./documents.ts";
import { cliPath } from "./processes/cli-process.ts";

const [, block = ""] = /## Compare with the last release.*?```yaml\n(.*?)```/s.exec(read("docs/ci.md")) ?? [];
const steps: readonly { readonly run?: string; readonly uses?: string }[] = parse(block);
const scripts = steps.flatMap(({ run }) => run ?? []);

let server: RunningServer;
let folder: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const token = "a-token-of-the-pipeline";
  server = await startReferenceServer({ controlToken: token });
  folder = mkdtempSync(join(tmpdir(), "pipeline-"));
  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  // Drops `--yes courier-conform@0.1.0`, and runs the rest with this repository's command line.
  program(
    "npx",
    `shift 2; command=$1; exec "${process.execPath}" -- "${cliPath}" "$@" $([ "$command" = conform ] && echo --only health --partial)`,
  );
  program("gh", "mkdir -p last-release && cp release.json last-release/report.json");
  env = {
    PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`,
    DISPATCH_URL: server.url,
    CONFORM_CONTROL_URL: server.controlUrl,
    CONFORM_CONTROL_TOKEN: token,
  };
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A separate process, because the server runs in this one. */
const step = async (script: string) => {
  const child = spawn("bash", ["-e", "-c", script], { cwd: folder, env });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout };
};

test("the pipeline runs, compares with a failed and a passed release, and uploads", async () => {
  const [run = "", compare = ""] = scripts;
  expect(scripts).toHaveLength(2);
  expect(steps.at(-1)?.uses).toMatch(/^actions\/upload-artifact@/);
  expect((await step(run)).code).toBe(0);
  const report = readFileSync(join(folder, "conformance/report.json"), "utf8");
  const isHealth = (value: unknown) =>
    member(value, "id") === "health.ok" && member(value, "status") === "passed";
  const failing = JSON.stringify(JSON.parse(report), (_, value) =>
    isHealth(value) ? { ...value, status: "failed" } : value,
  );
  expect(JSON.parse(failing)).not.toEqual(JSON.parse(report));

  writeFileSync(join(folder, "release.json"), failing);
  expect(await step(compare)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^fixed +1: health\.ok$/m),
  });

  writeFileSync(join(folder, "release.json"), report);
  writeFileSync(join(folder, "conformance/report.json"), failing);
  expect(await step(compare)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^broken +health\.ok/m),
  });
});
