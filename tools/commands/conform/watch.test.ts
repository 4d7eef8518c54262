import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { retryWhilePortInUse, steadyPort } from "../../../suites/core/http/steady-port.ts";
import { aReport } from "../../report/testing/sample-report.ts";
import { terminalOutput } from "../../terminal/output.ts";
import { watch } from "./watch.ts";

const cli = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));
const TOKEN = "control-token-of-the-test";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const keepsPhones = (deps: Dependencies): Dependencies => ({
  ...deps,
  phone: { ...deps.phone, international: (phone: string) => phone },
});

/** Reads the command's output, and waits for parts of it. */
function outputWaiter(child: ChildProcess) {
  let printed = "";
  let wake = () => {};
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    wake();
  });
  return async (text: string): Promise<void> => {
    while (!printed.includes(text)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    printed = printed.slice(printed.indexOf(text) + text.length);
  };
}

/** The output and the number of runs of a watch that Ctrl-C ends during the given run. */
async function endedInRun(number: number) {
  const passed = aReport();
  const [check] = passed.checks;
  const failed = { ...passed, checks: check ? [{ ...check, status: "failed" as const }] : [] };
  let printed = "";
  let runs = 0;
  let interrupt = () => {};
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const input = new PassThrough();
  input.write("\n");
  const write = (text: string) => {
    printed += text;
  };
  await watch({
    url: "http://127.0.0.1:1",
    input,
    output: terminalOutput({ write }, { quiet: false, color: false, json: false, environment: {} }),
    interrupted,
    run: async () => {
      runs += 1;
      if (runs >= number) interrupt();
      return runs === 1 ? failed : passed;
    },
  });
  return { printed, runs };
}

test("Ctrl-C during the first run ends the watch, and no next run is announced", async () => {
  expect(await endedInRun(1)).toEqual({ printed: "", runs: 1 });
});

test("Ctrl-C during a repetition of failed checks ends the watch, and no check counts as fixed", async () => {
  const { printed, runs } = await endedInRun(2);
  expect(runs).toBe(2);
  expect(printed.match(/Watching\./g)).toHaveLength(1);
  expect(printed).not.toContain("everything again");
});

test("after a fix the blocked checks run, and the line counts fixed, unblocked and passed checks", async () => {
  const report = aReport();
  const [first, second, third, ...others] = report.checks;
  if (!first || !second || !third) throw new Error("the sample has too few checks");
  const blocked = { status: "blocked", blocked_by: first.id } as const;
  const notRun = others.map((check) => ({ ...check, status: "not_run" as const }));
  const failed = { status: "failed" } as const;
  const results = [
    [{ ...first, ...failed }, { ...second, ...blocked }, { ...third, ...blocked }, ...others],
    [first, ...notRun],
    [second, { ...third, ...failed }, ...notRun],
  ];
  const requestedChecks: (readonly string[] | undefined)[] = [];
  let printed = "";
  const input = new PassThrough();
  input.write("\nq\n");
  await watch({
    url: "http://127.0.0.1:1",
    input,
    output: terminalOutput(
      {
        write: (text) => {
          printed += text;
        },
      },
      { quiet: false, color: false, json: false, environment: {} },
    ),
    interrupted: new Promise(() => {}),
    run: async (only) => ({ ...report, checks: results[requestedChecks.push(only) - 1] ?? [] }),
  });
  expect(requestedChecks).toEqual([undefined, [first.id], [second.id, third.id]]);
  expect(printed).toContain("\n1 fixed, 2 unblocked; 1 of the unblocked checks passed\n");
  expect(printed).toMatch(/repeats 1 failed check; a and Enter repeats everything; q and Enter ends\.\n$/);
});

test("--watch repeats the failed checks after a restart of the target, then all checks, and ends with q", async () => {
  const port = steadyPort();
  const broken = await startReferenceServer({ controlToken: TOKEN, port, mutate: keepsPhones });
  let server = broken;
  open.push(() => server.close());
  const child = spawn(
    process.execPath,
    [cli, "conform", "--url", broken.url, "--control-url", broken.controlUrl, "--only", "DLV-25", "--watch"],
    {
      cwd: mkdtempSync(join(tmpdir(), "watch-")),
      env: { PATH: process.env.PATH ?? "", CONFORM_CONTROL_TOKEN: TOKEN },
    },
  );
  open.push(() => child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const waitFor = outputWaiter(child);

  await waitFor("FAILED");
  await waitFor("repeats 1 failed check");
  child.stdin?.write("\n");
  await waitFor("FAILED");
  await waitFor("Watching.");

  await broken.close();
  server = await retryWhilePortInUse(() => startReferenceServer({ controlToken: TOKEN, port }));
  await waitFor("None of these checks fails any more: running all checks.");
  await waitFor("target repeats everything");
  child.stdin?.write("q\n");
  expect(await ended).toBe(2);
});
