import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import { packageFolder } from "../package.ts";
import { startCli } from "./processes/cli-process.ts";
import { openLine } from "./processes/line.ts";

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Starts a script like `npm run … &`. Returns npm's process id and the output. */
function inBackground(...args: readonly string[]) {
  const options = { cwd: packageFolder, env: process.env, detached: true };
  const child = spawn("npm", ["run", "--silent", ...args], options);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, said: () => text };
}

const isResponding = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

function processTree(pid: number): readonly number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const parents = lines.map((line) => line.trim().split(/ +/).map(Number));
  const below = (parent: number): number[] =>
    parents.flatMap(([id = 0, of]) => (of === parent ? [id, ...below(id)] : []));
  return [pid, ...below(pid)];
}

test("a sandbox started by npm exits when npm's process is ended", async () => {
  const { child, said } = inBackground("serve", "--", "--port", "0");
  const url = () => /listens on (http[^,]*),/.exec(said())?.[1] ?? "";
  await expect.poll(url).not.toBe("");
  expect(await isResponding(url())).toBe(true);
  child.kill("SIGTERM");
  await expect.poll(() => isResponding(url())).toBe(false);
});

test("a run whose process group is ended, as timeout does, still reports its results", async () => {
  const report = mkdtempSync(join(tmpdir(), "background-"));
  const controlToken = "control-token-of-the-test";
  const server = await startReferenceServer({ controlToken });
  // A latency with which the cleanup takes longer than the detection of npm's exit.
  const line = await openLine({ port: Number(new URL(server.url).port), latencyMs: 200 });
  try {
    const target = ["--url", line.url, "--control-url", server.controlUrl, "--control-token", controlToken];
    const { child, said } = inBackground(
      "conform",
      ...["--", ...target, "--report", report, "--only", "creation.*"],
    );
    await expect.poll(said).toMatch(/\d+\/\d+ checks/);
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await expect.poll(() => existsSync(join(report, "attestation.json"))).toBe(true);
  } finally {
    await line.close();
    await server.close();
  }
});

test("ending npm ends a client run and its client", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "background-")), "pid");
  const command = ["sh", "-c", `echo $$ > ${file}; exec sleep 300`];
  const { child } = inBackground("client", "--", "--", ...command);
  await expect.poll(() => existsSync(file) && Number(readFileSync(file, "utf8"))).toBeGreaterThan(0);
  const pid = Number(readFileSync(file, "utf8"));
  expect(isAlive(pid)).toBe(true);
  child.kill("SIGTERM");
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test("a client run whose output's reader exits ends the client, and deletes the credentials file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "background-"));
  const [pidFile, variables] = [join(folder, "pid"), join(folder, "sandbox.env")];
  const command = ["sh", "-c", `echo $$ > ${pidFile}; exec sleep 300`];
  const { child, ended } = startCli(["client", "--write-env", variables, "--", ...command]);
  await expect.poll(() => existsSync(pidFile) && Number(readFileSync(pidFile, "utf8"))).toBeGreaterThan(0);
  child.stdout.destroy();
  child.kill("SIGHUP");
  await ended;
  expect(isAlive(Number(readFileSync(pidFile, "utf8")))).toBe(false);
  expect(existsSync(variables)).toBe(false);
});

test("a run of conform leaves no process behind", async () => {
  const { child } = inBackground("conform");
  const pid = child.pid ?? 0;
  // npm, its shell and the run itself.
  await expect.poll(() => processTree(pid).length).toBeGreaterThanOrEqual(3);
  const started = processTree(pid);
  child.kill("SIGTERM");
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
});
