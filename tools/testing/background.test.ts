import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFolder } from "../package.ts";

const LONGEST_MS = 60_000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Starts a script as `npm run … &` does, and gives the number of npm's process and all that was written. */
function inBackground(...args: readonly string[]) {
  const child = spawn("npm", ["run", "--silent", ...args], { cwd: packageFolder, env: process.env });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, said: () => text };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

test("a sandbox that npm started is gone when npm was ended by its process id", {
  timeout: LONGEST_MS,
}, async () => {
  const { child, said } = inBackground("serve", "--", "--port", "0");
  const url = () => /listens on (http[^,]*),/.exec(said())?.[1] ?? "";
  await expect.poll(url, { timeout: 30_000 }).not.toBe("");
  expect(await answers(url())).toBe(true);
  child.kill("SIGTERM");
  await expect.poll(() => answers(url()), { timeout: 15_000 }).toBe(false);
});

test("a client's run ends the client too", { timeout: LONGEST_MS }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), "background-")), "pid");
  const command = ["sh", "-c", `echo $$ > ${file}; exec sleep 300`];
  const { child } = inBackground("client", "--", "--", ...command);
  await expect
    .poll(() => existsSync(file) && Number(readFileSync(file, "utf8")), { timeout: 30_000 })
    .toBeGreaterThan(0);
  const pid = Number(readFileSync(file, "utf8"));
  expect(isAlive(pid)).toBe(true);
  child.kill("SIGTERM");
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
});
