import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { packageFolder } from "../../package.ts";
import { openPlainReceiver } from "../../testing/sandbox/plain-receiver.ts";

/**
 * Needs a container engine (DOCKER_HOST) with the sandbox's image, and compose. A separate step of .ci/run runs it; an
 * ordinary test run skips it.
 */
const isLeftOut = process.env.TEST_SANDBOX_IMAGE === undefined;
const READY_MS = 90_000;

const project = `conform-${randomBytes(4).toString("hex")}`;
const PORT = String(20_000 + (process.pid % 10_000));

function run(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, PORT, ...environment };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: packageFolder, encoding: "utf8", env });
  return { code: status, stdout, stderr };
}

const hasPlugin = run("docker", ["compose", "version"]).code === 0;
const compose = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  hasPlugin
    ? run("docker", ["compose", "-p", project, ...args], environment)
    : run("docker-compose", ["-p", project, ...args], environment);

/** Starts it, and returns its output once it is ready. */
async function bringUp(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stderr } = compose(["up", "-d"], environment);
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  const said = () => compose(["logs", "--no-color"]).stdout.replaceAll(/^\S+ *\| ?/gm, "");
  await expect.poll(said, { timeout: READY_MS, interval: 500 }).toContain("Ctrl-C stops it.");
  return said();
}

const printed = (stdout: string, name: string) => new RegExp(`^ +${name} +(.+)$`, "m").exec(stdout)?.[1];

/** The address of this machine inside containers: the gateway of the engine's first network. */
const gateway = () =>
  run("docker", ["network", "inspect", "bridge", "-f", "{{(index .IPAM.Config 0).Gateway}}"]).stdout.trim();

describe.skipIf(isLeftOut)("the sandbox in a container", () => {
  afterAll(() => void compose(["down", "--volumes"]));

  test("creates a first delivery after `up`, and keeps its credentials across restarts", async () => {
    const stdout = await bringUp();
    const lines = stdout.split("\n").filter((line) => /^ {2}(TOKEN=|curl )/.test(line));
    expect(lines).toHaveLength(3);
    expect(run("sh", ["-c", lines.join("\n")]).stdout).toContain('"status":"QUEUED"');
    const names = ["Control token", "client_id", "client_secret"];
    const before = names.map((name) => printed(stdout, name));
    expect(compose(["down"]).code).toBe(0);
    const again = await bringUp();
    expect(names.map((name) => printed(again, name))).toEqual(before);
    expect(printed(again, "Pairing codes")).toMatch(/\(used: /);
  });

  test("uses credentials from the environment, and forwards events triggered inside it to this machine", async () => {
    const secret = `whsec_${randomBytes(24).toString("base64")}`;
    const receiver = await openPlainReceiver(secret, () => 204, gateway());
    const controlToken = "control-token-of-the-test";
    const forwardTo = receiver.url.replace("localhost", "host.docker.internal");
    const given = { CONTROL_TOKEN: controlToken, CLIENT_ID: "my-pos", CLIENT_SECRET: "a-secret-of-my-own" };
    const stdout = await bringUp({ ...given, WEBHOOK_SECRET: secret, FORWARD_TO: forwardTo });
    for (const value of [controlToken, given.CLIENT_SECRET, secret]) expect(stdout).not.toContain(value);
    const trigger = ["node", "bin/source.js", "trigger", "delivery.assigned"];
    expect(compose(["exec", "-T", "sandbox", ...trigger])).toMatchObject({ code: 0, stderr: "" });
    await expect.poll(() => receiver.arrivals.length).toBe(4);
    receiver.close();
  });
});
