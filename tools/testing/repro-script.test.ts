import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
      receiver: { ...LOOPBACK_RECEIVER, speedup: 5 },
      point: DEFAULT_POINT,
      answerMs: 10_000,
      patienceMs: 0,
      settlesWithinMs: 500,
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

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script as whoever has it in a report does, from its file: it may be longer than an argument can be. */
function bash(script: string, env: Record<string, string>): Promise<Ended> {
  const file = join(mkdtempSync(join(tmpdir(), "repro-")), "check.sh");
  writeFileSync(file, script);
  return new Promise((resolve) => {
    execFile("bash", ["--norc", file], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

/** How a script ends on a server of another process's making, with an integrator of its own. */
async function ended(script: string, mutant?: MutantId): Promise<Ended> {
  const { url, controlUrl } = await aServer(mutant);
  const env = { PATH: process.env.PATH ?? "", BASE: url, CONTROL: controlUrl, CONTROL_TOKEN };
  const end = await bash(script, env);
  expect(end.stderr).toBe("");
  return end;
}

const printed = async (script: string, mutant?: MutantId) => (await ended(script, mutant)).stdout;

/** What the script's calls are answered there. */
const repeated = async (script: string, mutant?: MutantId) =>
  [...(await printed(script, mutant)).matchAll(/^(\d{3}) {2}(?!control)/gm)].map(([, status]) =>
    Number(status),
  );

/** What the calls were answered in the run, as the script says. */
const answered = (script: string) =>
  [...script.matchAll(/^# answered (\d+)$/gm)].map(([, status]) => Number(status));

/** The last lines: what was expected, what came in the run, and what came now. */
const endOf = (output: string) => output.slice(output.lastIndexOf("\nExpected "));
const nowIn = (output: string) => /^Now +(.*)/m.exec(output)?.[1] ?? "";

test("the script of a failing model repeats the fault on another server with it, and no other", async () => {
  const mutant = "changed-delivery-is-cancelled-twice";
  const script = await scriptOn(mutant, "models.life-without-a-courier");
  const onMutant = await repeated(script, mutant);
  expect(onMutant).toEqual(answered(script));
  expect(onMutant.at(-1)).toBe(200);
  expect((await repeated(script)).at(-1)).toBe(409);
  expect(await repeated(script, mutant), "run again, with all numbers and keys new").toEqual(onMutant);
});

test("what hangs on webhooks, which no script gets, has none", async () => {
  expect(await scriptOn("cancelled-delivery-is-assigned", "models.life-with-a-courier")).toBe("");
});

test("a courier's moves are part of it, and secrets are not", async () => {
  const mutant = "position-shown-after-a-cancellation";
  const script = await scriptOn(mutant, "tracking.position-after-a-cancellation");
  expect(script).toMatch(/^move c\d+ POST '\/deliveries\/'"\$ID_1"'\/courier' /m);
  expect(script).not.toContain(CONTROL_TOKEN);
  expect(await repeated(script, mutant)).toEqual(answered(script));
});

test("the script of a failing property repeats it too", async () => {
  const mutant = "quantity-is-whole";
  const script = await scriptOn(mutant, "creation.any-order");
  expect(await repeated(script, mutant)).toEqual(answered(script));
  expect((await repeated(script)).at(-1)).not.toBe(answered(script).at(-1));
});

test("where no token comes, the script asks for one as the run did", async () => {
  const mutant = "token-endpoint-under-v1";
  const script = await scriptOn(mutant, "creation.any-order");
  expect(script).toMatch(/^credentials 1$/m);
  expect(script).not.toMatch(/^integrator 1$/m);
  expect((await ended(script, mutant)).code).toBe(1);
  expect((await ended(script)).code).toBe(0);
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
  test.for(FAULTS)("%s", async ([mutant, id, fault]) => {
    const script = await scriptOn(mutant, id);
    const onMutant = await printed(script, mutant);
    expect(nowIn(onMutant), onMutant).toMatch(fault);
    expect(endOf(onMutant)).toContain("In the run");
    const onRight = await printed(script);
    expect(nowIn(onRight), onRight).not.toMatch(fault);
  });
});

/** How the last line begins, by the exit code. */
const VERDICTS: Readonly<Record<number, RegExp>> = {
  0: /^NOT REPEATED: /,
  1: /^REPEATED: /,
  3: /^CAN'T BE TOLD HERE: /,
};

const lastLine = ({ stdout }: Ended) => stdout.trimEnd().split("\n").at(-1) ?? "";

const isMutant = (id: string): id is MutantId => Object.hasOwn(mutants, id);

/** What is about these, answers can't show: such a failure has no script. */
const BEYOND_SCRIPTS: readonly string[] = ["receiver", "credit"];

/** Each mutant with the first check that is made to catch it, by the checks' groups. */
const caught = checks
  .filter(isExperiment)
  .filter(({ needs }) => !needs.some((need) => BEYOND_SCRIPTS.includes(need)))
  .flatMap(({ id, mutants: ids }) => ids.filter(isMutant).map((mutant) => ({ id, mutant })))
  .filter(({ mutant }, at, all) => all.findIndex((one) => one.mutant === mutant) === at)
  .toSorted((a, b) => (a.id === b.id ? (a.mutant < b.mutant ? -1 : 1) : a.id < b.id ? -1 : 1));

const EACH = 50;
/** By its name, so that it stays in the sample or out of it whatever other mutants come and go. */
const isDrawn = ({ mutant }: { mutant: MutantId }): boolean =>
  createHash("sha256").update(mutant).digest().readUInt32BE() % EACH === 5;
/** Those that a script has missed before. */
const MISSED: readonly MutantId[] = ["page-of-101-by-default"];
const SAMPLE = caught.filter((one) => isDrawn(one) || MISSED.includes(one.mutant));

/** What stands for the end of a script where there is none, as answers can't show the fault. */
const NO_SCRIPT: Ended = { code: 3, stdout: "CAN'T BE TOLD HERE: there is no script", stderr: "" };

describe("the script judges: the fault is repeated where it is, and not where it isn't", () => {
  const untold: string[] = [];

  test.for(SAMPLE)("$mutant by $id", async ({ mutant, id }) => {
    const script = await scriptOn(mutant, id);
    const [onMutant, onRight] =
      script === "" ? [NO_SCRIPT, NO_SCRIPT] : [await ended(script, mutant), await ended(script)];
    // A secret is one that scripts don't keep, and what is right may already show before the call to blame.
    if (onMutant.code === 3) untold.push(`${id}: ${lastLine(onMutant)}`);
    expect([1, 3], lastLine(onMutant)).toContain(onMutant.code);
    expect([0, 3], lastLine(onRight)).toContain(onRight.code);
    for (const { code, ...end } of [onMutant, onRight]) {
      expect(lastLine({ code, ...end })).toMatch(VERDICTS[code] ?? /^$/);
    }
  });

  test("of a sample of all checks it can tell of most", () => {
    expect(SAMPLE.length).toBeGreaterThanOrEqual(20);
    expect(untold.length, untold.join("\n")).toBeLessThanOrEqual(SAMPLE.length / 3);
  });
});

describe("a script that can't try says why, and judges nothing", () => {
  const judges = /REPEATED|TOLD/;

  test("without means to sign in", async () => {
    const script = await scriptOn("quantity-is-whole", "creation.any-order");
    const { url } = await aServer(undefined);
    const end = await bash(script, { PATH: process.env.PATH ?? "", BASE: url });
    expect(end.code).toBe(2);
    expect(end.stderr).toContain("Put an integrator's credentials into CLIENT_ID_1 and CLIENT_SECRET_1");
    expect(end.stdout).not.toMatch(judges);
  });

  test("where a store isn't linked", async () => {
    const script = await scriptOn("quantity-is-whole", "creation.any-order");
    const { url, controlUrl } = await aServer(undefined);
    const env = { PATH: process.env.PATH ?? "", BASE: url, CONTROL: controlUrl, CONTROL_TOKEN };
    const end = await bash(script, { ...env, PAIRING_CODES: "WRONG-CODE" });
    expect(end.code).toBe(2);
    expect(end.stderr).toBe("This couldn't be tried: linking a store was answered 400.\n");
    expect(end.stdout).not.toMatch(judges);
  });
});
