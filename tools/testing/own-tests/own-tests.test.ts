/** The suite in other test runners: examples/own-tests, and the vitest project. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { checks } from "../../../suites/server/checks/index.ts";
import { mutantOf } from "../../../suites/server/mutants/index.ts";
import { packageFolder } from "../../package.ts";

const TOKEN = "control-token-of-the-test";
/** Some checks that pass on the reference server. One of them catches the mutant. */
const ONLY = "{health.*,idempotency.same-key-same-body,passive.bodies-are-json}";
const FAILING = "idempotency.same-key-same-body";
const broken = mutantOf("idempotency-repeat-answers-201").mutate;

const { PATH, HOME } = process.env;
const VITEST = "node_modules/vitest/vitest.mjs";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Runs a program on a server, and returns its exit code and output. */
async function runOn(
  mutate: typeof broken | undefined,
  args: readonly string[],
  variablesAt: (url: string) => Readonly<Record<string, string>> = (url) => ({ SERVICE_URL: url }),
) {
  const server = await startReferenceServer({ controlToken: TOKEN, ...(mutate && { mutate }) });
  open.push(() => server.close());
  const child = spawn(process.execPath, args, {
    cwd: packageFolder,
    env: { PATH, HOME, CONTROL_TOKEN: TOKEN, ONLY, NO_COLOR: "1", ...variablesAt(server.url) },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, printed };
}

test("plain Node reports each check as it ends", async () => {
  const { code, printed } = await runOn(broken, ["examples/own-tests/plain-run.ts"]);
  expect(code, printed).toBe(0);
  expect(printed).toMatch(/^passed health\.ok $/m);
  expect(printed).toMatch(new RegExp(`^failed ${FAILING} .*201`, "m"));
  expect(printed).toMatch(/^\d+ requests$/m);
});

test("plain Node gives a verdict: INCOMPLETE on some of the checks", async () => {
  const program = ["examples/own-tests/plain-certify.ts"];
  expect((await runOn(undefined, program)).printed).toBe("INCOMPLETE {}\n");
  expect((await runOn(broken, program)).printed).toMatch(/^NONCONFORMANT \{\n {2}'idempotency\.same-key/);
});

const environmentForAllChecks = (url: string) => ({ SERVICE_URL: url, ONLY: "*" });

test("plain Node gives a verdict: CONFORMANT on all of the checks", async () => {
  expect(
    (await runOn(undefined, ["examples/own-tests/plain-certify.ts"], environmentForAllChecks)).printed,
  ).toBe("CONFORMANT {}\n");
});

test("node:test passes on all of the checks", async () => {
  const program = "examples/own-tests/with-node-test.spec.ts";
  const { code, printed } = await runOn(
    undefined,
    ["--test", "--test-reporter=spec", program],
    environmentForAllChecks,
  );
  expect(code, printed).toBe(0);
  expect(printed).toMatch(new RegExp(`^ℹ pass ${checks.length}$`, "m"));
});

/** Test runners with a test for each check, and their output for a failed and for a passed test. */
const RUNNERS: Readonly<
  Record<
    string,
    { args: readonly string[]; variablesAt?: Parameters<typeof runOn>[2]; passed: RegExp; failed: RegExp }
  >
> = {
  "node:test": {
    args: ["--test", "--test-reporter=spec", "examples/own-tests/with-node-test.spec.ts"],
    passed: /^✔ health\.ok /m,
    failed: /^✖ idempotency\.same-key-same-body /m,
  },
  vitest: {
    args: [VITEST, "run", "--root", "examples/own-tests", "--reporter=verbose", "with-vitest"],
    passed: /✓ .*health\.ok/,
    failed: /× .*idempotency\.same-key-same-body/,
  },
  "the project of this repository": {
    args: [VITEST, "run", "--project", "conform", "--reporter=verbose", "-t", "health|same-key-same-body"],
    variablesAt: (url) => ({
      CONFORM_URL: url,
      CONFORM_CONTROL_URL: `${url}/control`,
      CONFORM_CONTROL_TOKEN: TOKEN,
    }),
    passed: /✓ .*health\.ok/,
    failed: /× .*idempotency\.same-key-same-body/,
  },
};

describe.each(Object.entries(RUNNERS))("%s runs a test for each check", (_, runner) => {
  const { args, variablesAt, passed, failed } = runner;

  test("which passes on a conforming server", async () => {
    const { code, printed } = await runOn(undefined, args, variablesAt);
    expect(code, printed).toBe(0);
    expect(printed).toMatch(passed);
  });

  test("and fails with the clause, the exchange and a command that repeats it", async () => {
    const { code, printed } = await runOn(broken, args, variablesAt);
    expect(code, printed).toBe(1);
    expect(printed).toMatch(passed);
    expect(printed).toMatch(failed);
    expect(printed).toMatch(/exchange: POST http.* → 201/);
    expect(printed).toMatch(/repeat: curl -i -X POST /);
  });
});
