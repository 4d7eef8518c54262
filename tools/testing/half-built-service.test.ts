import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { startCli } from "./processes/cli-process.ts";

const SECRET = "secret-of-the-half-built-service";
const file = fileURLToPath(new URL("../../examples/service/service.ts", import.meta.url));

const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children.filter(({ exitCode }) => exitCode === null)) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});

/** Starts the service with the operations built up to this step. @returns its base URL */
async function start(step: number): Promise<string> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, STEP: String(step), CLIENT_SECRET: SECRET },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = await once(child.stdout, "data");
  return String(line).trim();
}

/** The terminal output for the service after this step. */
async function terminalAt(step: number): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "half-built-"));
  const settings = {
    url: await start(step),
    credentials: [{ client_id: "pos-1", client_secret: SECRET }],
    pairing_codes: Array.from({ length: 12 }, (_, index) => `CODE-${index}`),
    claims: ["api"],
  };
  // JSON is YAML.
  writeFileSync(join(folder, "conform.yaml"), JSON.stringify(settings));
  const args = ["conform", "--config", "conform.yaml", "--skip", "limits.*"];
  const { code, stdout } = await startCli(args, { cwd: folder }).ended;
  expect(code).toBe(1);
  return stdout.split("\n");
}

/** The lines from the headline to the first empty line, which name the check to fix first. */
function beginning(lines: readonly string[]): readonly string[] {
  const headline = lines.findIndex((line) => line.endsWith("Begin with the first:"));
  expect(headline).toBeGreaterThanOrEqual(0);
  return lines.slice(headline, lines.indexOf("", headline));
}

/** Each step with the check that reports the operation to build next. */
const next: readonly (readonly [step: number, built: string, missing: readonly string[]])[] = [
  [1, "tokens", ["payment-types.entries", "stores.first-registration", "subscriptions.creation"]],
  [2, "stores and payment types", ["creation.any-order", "quotes.own-store", "subscriptions.creation"]],
  [3, "deliveries that are opened and read", ["paging.shape", "changes.notes", "cancellation.with-a-reason"]],
  [4, "cancelling", ["paging.shape", "changes.notes", "quotes.own-store", "subscriptions.creation"]],
];

// The steps run concurrently, because a run mostly waits for missing operations.
describe.concurrent("for a half-built service the first ten lines name what to build next", () => {
  for (const [step, built, missing] of next) {
    test(`step ${step}: ${built}`, async () => {
      const lines = beginning(await terminalAt(step));
      expect(lines.length).toBeLessThanOrEqual(10);
      for (const check of missing) {
        expect(
          lines.filter((line) => line.includes(`(${check}, `)),
          check,
        ).toHaveLength(1);
      }
    });
  }
});
