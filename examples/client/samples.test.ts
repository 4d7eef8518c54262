import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { certifyClient } from "../../suites/client/certify.ts";
import { clientChecks } from "../../suites/client/checks/index.ts";
import { startReferenceService } from "../../suites/client/reference-client/service.ts";
import type { ClientAccess } from "../../suites/client/session/session.ts";

const SEED = 7;
const TIME_SCALE = 0.02;
const LONGEST_MS = 120_000;

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Runs a sample as its reader would, with nothing but what the sandbox gives it. */
function sample(command: string, ...args: readonly string[]) {
  return async ({ baseUrl, clientId, clientSecret, pairingCode }: ClientAccess) => {
    const env = {
      PATH: process.env.PATH,
      BASE_URL: baseUrl,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      PAIRING_CODE: pairingCode,
      TIME_SCALE: String(TIME_SCALE),
    };
    const child = spawn(command, args, { env, stdio: "ignore" });
    await once(child, "exit");
  };
}

const graded = (client: (access: ClientAccess) => Promise<void>) =>
  certifyClient({ timeScale: TIME_SCALE, seed: SEED, startService: startReferenceService, client });

test("the sample in TypeScript passes every check", { timeout: LONGEST_MS }, async () => {
  const { outcomes, trouble } = await graded(sample(process.execPath, file("play.ts")));
  expect(trouble).toEqual({});
  expect(outcomes.size).toBe(clientChecks.length);
});

test.runIf(hasPython)("the sample in Python passes every check", { timeout: LONGEST_MS }, async () => {
  const { outcomes, trouble } = await graded(sample("python3", file("python/dispatch_client.py")));
  expect(trouble).toEqual({});
  expect(outcomes.size).toBe(clientChecks.length);
});
