import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import type { Parts } from "../../../reference-server/parts.ts";
import { onceFree, steadyPort } from "../../../suites/core/http/steady-port.ts";

const cli = fileURLToPath(new URL("../../../bin/source.js", import.meta.url));
const TOKEN = "control-token-of-the-test";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const keepsPhones = (parts: Parts): Parts => ({
  ...parts,
  phone: { ...parts.phone, international: (phone: string) => phone },
});

/** What the command says, to be waited for piece by piece. */
function reading(child: ChildProcess) {
  let said = "";
  let wake = () => {};
  child.stdout?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    wake();
  });
  return async (text: string): Promise<void> => {
    while (!said.includes(text)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    said = said.slice(said.indexOf(text) + text.length);
  };
}

test("--watch repeats what failed when the target was restarted, then everything, and ends with q", async () => {
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
  const hears = reading(child);

  await hears("FAILED");
  await hears("repeats the 1 that failed");
  child.stdin?.write("\n");
  await hears("FAILED");
  await hears("Watching:");

  await broken.close();
  server = await onceFree(() => startReferenceServer({ controlToken: TOKEN, port }));
  await hears("Nothing of it fails any more: everything again.");
  await hears("repeats everything");
  child.stdin?.write("q\n");
  expect(await ended).toBe(2);
});
