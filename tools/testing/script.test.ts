import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
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

async function aSession(mutant: MutantId | undefined, receiver: boolean) {
  const server = await startReferenceServer({
    controlToken: CONTROL_TOKEN,
    ...(mutant && { mutate: mutants[mutant].mutate }),
  });
  open.push(() => server.close());
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

/** The script that a check's failure on a mutant comes with. */
async function scriptOn(mutant: MutantId, id: string): Promise<string> {
  const check = checks.filter(isExperiment).find((one) => one.id === id);
  if (!check) throw new Error(`there is no check ${id}`);
  const outcome = await runCheck(check, await aSession(mutant, check.needs.includes("receiver")), SEED);
  expect(outcome).toMatchObject({ status: "failed", counterexample: expect.stringMatching(/seed 1/) });
  return outcome.script ?? "";
}

/** What the script's calls are answered on a server of another process's making, for another integrator. */
async function repeated(script: string, mutant?: MutantId): Promise<readonly number[]> {
  const session = await aSession(mutant, false);
  const [grant] = await session.identities.acquire(1, false);
  if (!grant) throw new Error("no identity");
  const { external_store_id: store } = await session.storeOf(grant.identity);
  const { stdout } = await run("bash", ["-c", script], {
    env: {
      PATH: process.env.PATH ?? "",
      BASE: session.settings.url,
      TOKEN: await grant.identity.token(),
      STORE: store,
      CONTROL_TOKEN,
    },
  });
  return [...stdout.matchAll(/^(\d{3}) /gm)].map(([, status]) => Number(status));
}

/** What the calls were answered when the sequence failed, as the script says. */
const answered = (script: string) =>
  [...script.matchAll(/^# answered (\d+)$/gm)].map(([, status]) => Number(status));

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
  expect(script).toMatch(/^control '\/deliveries\/'"\$ID_1"'\/courier' /m);
  expect(script).not.toContain(CONTROL_TOKEN);
  expect(await repeated(script, mutant)).toEqual(answered(script));
});

test("the script of a failing property repeats it too", { timeout: 120_000 }, async () => {
  const mutant = "quantity-is-whole";
  const script = await scriptOn(mutant, "creation.any-order");
  expect(await repeated(script, mutant)).toEqual(answered(script));
  expect((await repeated(script)).at(-1)).not.toBe(answered(script).at(-1));
});
