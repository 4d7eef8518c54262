import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import { isExperiment } from "../../suites/server/check.ts";
import { checks } from "../../suites/server/checks/index.ts";
import { type MutantId, mutants } from "../../suites/server/mutants/index.ts";
import { runCheck } from "../../suites/server/run-check.ts";
import { Session } from "../../suites/server/session/session.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../../suites/server/session/settings.ts";

const CONTROL_TOKEN = "control-token-of-the-test";
const SEED = 1;
const run = promisify(execFile);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function aServer(mutant: MutantId | undefined) {
  const server = await startReferenceServer({
    controlToken: CONTROL_TOKEN,
    ...(mutant && { mutate: mutants[mutant].mutate }),
  });
  open.push(() => server.close());
  return server;
}

async function aSession(mutant: MutantId | undefined, receiver: boolean) {
  const server = await aServer(mutant);
  const session = await Session.open(
    {
      url: server.url,
      credentials: [],
      pairingCodes: [],
      control: { url: server.controlUrl, token: CONTROL_TOKEN },
      receiver: LOOPBACK_RECEIVER,
      point: DEFAULT_POINT,
      answerMs: 10_000,
      patienceMs: 0,
    },
    { receiver },
  );
  open.push(() => session.close());
  return session;
}

/** How a check fails on a mutant. */
async function failureOn(mutant: MutantId, id: string): Promise<Outcome> {
  const check = checks.filter(isExperiment).find((one) => one.id === id);
  if (!check) throw new Error(`there is no check ${id}`);
  return runCheck(check, await aSession(mutant, check.needs.includes("receiver")), SEED);
}

const scriptOn = async (mutant: MutantId, id: string) => (await failureOn(mutant, id)).script ?? "";

/** What a script prints on a server of another process's making, with an integrator of its own. */
async function printed(script: string, mutant?: MutantId): Promise<string> {
  const { url, controlUrl } = await aServer(mutant);
  const env = { PATH: process.env.PATH ?? "", BASE: url, CONTROL: controlUrl, CONTROL_TOKEN };
  const { stdout, stderr } = await run("bash", ["--norc", "-c", script], { env });
  expect(stderr).toBe("");
  return stdout;
}

/** What the script's calls are answered there. */
const repeated = async (script: string, mutant?: MutantId) =>
  [...(await printed(script, mutant)).matchAll(/^(\d{3}) /gm)].map(([, status]) => Number(status));

/** What the calls were answered in the run, as the script says. */
const answered = (script: string) =>
  [...script.matchAll(/^# answered (\d+)$/gm)].map(([, status]) => Number(status));

/** The last lines: what was expected, what came in the run, and what came now. */
const endOf = (output: string) => output.slice(output.lastIndexOf("\nExpected "));
const nowIn = (output: string) => /^Now +(.*)/m.exec(output)?.[1] ?? "";

test("the script of a failing model repeats the fault on another server with it, and no other", {
  timeout: 120_000,
}, async () => {
  const mutant = "changed-delivery-is-cancelled-twice";
  const script = await scriptOn(mutant, "models.life-without-a-courier");
  const onMutant = await repeated(script, mutant);
  expect(onMutant).toEqual(answered(script));
  expect(onMutant.at(-1)).toBe(200);
  expect((await repeated(script)).at(-1)).toBe(409);
  expect(await repeated(script, mutant), "run again, with all numbers and keys new").toEqual(onMutant);
});

test("a courier's moves are part of it, and secrets are not", { timeout: 120_000 }, async () => {
  const mutant = "cancelled-delivery-is-assigned";
  const script = await scriptOn(mutant, "models.life-with-a-courier");
  expect(script).toMatch(/ control POST '\/deliveries\/'"\$ID_1"'\/courier' /);
  expect(script).not.toContain(CONTROL_TOKEN);
  expect(await repeated(script, mutant)).toEqual(answered(script));
});

test("the script of a failing property repeats it too", { timeout: 120_000 }, async () => {
  const mutant = "quantity-is-whole";
  const script = await scriptOn(mutant, "creation.any-order");
  expect(await repeated(script, mutant)).toEqual(answered(script));
  expect((await repeated(script)).at(-1)).not.toBe(answered(script).at(-1));
});

/** Faults of all kinds, and what of the last answer shows each. */
const FAULTS: readonly (readonly [MutantId, string, RegExp])[] = [
  ["foreign-delivery-is-shown", "isolation.reading-a-delivery", /^200 /],
  ["foreign-store-takes-orders", "isolation.anothers-store", /^201 /],
  ["creation-without-address-taken", "creation-bounds.dropoff-text-required", /^201 /],
  ["token-ends-15-seconds-early", "authentication.lifetime", /^401 /],
  ["reference-unique-for-the-integrator", "creation.reference-at-another-store", /^409 /],
  [
    "position-shown-after-a-cancellation",
    "tracking.position-after-a-cancellation",
    /"courier":\{[^}]*"lat":/,
  ],
  ["photos-vanish-on-delivery", "proofs.in-every-state", /"items":\[\]/],
];

describe("the script of a failing check shows the fault, and on a server without it nothing of the kind", () => {
  test.for(FAULTS)("%s", { timeout: 120_000 }, async ([mutant, id, fault]) => {
    const script = await scriptOn(mutant, id);
    const onMutant = await printed(script, mutant);
    expect(nowIn(onMutant), onMutant).toMatch(fault);
    expect(endOf(onMutant)).toContain("In the run");
    const onRight = await printed(script);
    expect(nowIn(onRight), onRight).not.toMatch(fault);
  });
});
