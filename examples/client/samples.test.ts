import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { clientChecks } from "../../suites/client/checks/index.ts";
import { tryClient } from "../../suites/client/mutants/run-mutant.ts";
import { scenarioNames } from "../../suites/client/session/scenarios.ts";
import type { ClientAccess } from "../../suites/client/session/session.ts";
import type { Outcome } from "../../suites/core/outcome.ts";

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

const unhappy = (outcomes: ReadonlyMap<string, Outcome>) =>
  [...outcomes].flatMap(([id, { status, message }]) =>
    status === "passed" ? [] : [`${id}: ${status} ${message}`],
  );

const graded = (client: (access: ClientAccess) => Promise<void>) =>
  tryClient({ checks: clientChecks, scenarios: scenarioNames, timeScale: TIME_SCALE, seed: SEED, client });

test("the sample in TypeScript passes every check", { timeout: LONGEST_MS }, async () => {
  const outcomes = await graded(sample(process.execPath, file("play.ts")));
  expect(unhappy(outcomes)).toEqual([]);
  expect(outcomes.size).toBe(clientChecks.length);
});

test.runIf(hasPython)("the sample in Python passes every check", { timeout: LONGEST_MS }, async () => {
  const outcomes = await graded(sample("python3", file("python/dispatch_client.py")));
  expect(unhappy(outcomes)).toEqual([]);
  expect(outcomes.size).toBe(clientChecks.length);
});
