import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getContainerRuntimeClient } from "testcontainers";
import { expect, test } from "vitest";
import { packageFolder } from "../../package.ts";
import { runCli } from "../../testing/processes/cli-process.ts";

/**
 * Needs a container engine (DOCKER_HOST) and our image (TEST_IMAGE, which .ci/image builds). A separate step of .ci/run
 * runs this test; an ordinary test run skips it.
 */
const image = process.env.TEST_IMAGE;
const isLeftOut = image === undefined;

const TOKEN = "control-token-of-the-test";

async function run(config: string, ...args: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), "image-"));
  writeFileSync(join(cwd, "conform.yaml"), config);
  // Testcontainers finds the engine through the environment.
  const env = { ...process.env, CONTROL_TOKEN: TOKEN };
  const { code, stdout, stderr } = await runCli(["conform", "--image", image ?? "", ...args], { cwd, env });
  return { code, said: stdout + stderr, cwd };
}

const CONFIG = `
image: { environment: { CONTROL_TOKEN: "\${CONTROL_TOKEN}" } }
control: { url: /control, token: "\${CONTROL_TOKEN}" }
`;

async function containersLeft(): Promise<number> {
  const { container } = await getContainerRuntimeClient();
  const filters = { label: ["courier-conform.run"] };
  return (await container.dockerode.listContainers({ all: true, filters })).length;
}

test.skipIf(isLeftOut)(
  "an image is started, certified including its webhooks, and stopped; its log is kept",
  async () => {
    const only = "idempotency.same-key-same-body,signatures.of-events";
    const { code, said, cwd } = await run(CONFIG, "--only", only, "--report", "out");
    expect(said).toMatch(/2 of \d+ checks, filtered, on http:\/\/.* \(image .*\)/);
    expect(said).not.toMatch(/FAILED|Not verified/);
    expect(code).toBe(2);
    expect(readFileSync(join(cwd, "out", "container.log"), "utf8")).toContain("reference server at");
    expect(said).not.toContain(TOKEN);
    expect(await containersLeft()).toBe(0);
  },
);

test.skipIf(isLeftOut)(
  "an image that doesn't start is reported in one line with the end of its log, and its container is removed",
  async () => {
    const broken = CONFIG.replace(
      "environment: {",
      'startup: 20s, environment: { DATABASE_URL: "nonsense:",',
    );
    const { code, said } = await run(broken);
    expect(said).toMatch(/^error: --image .* doesn't answer GET \/healthz .*; its log ends: .*DATABASE_URL/);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(3);
    expect(await containersLeft()).toBe(0);
  },
);

test.skipIf(isLeftOut)("ending npm's process also removes the container", async () => {
  const config = join(mkdtempSync(join(tmpdir(), "image-")), "conform.yaml");
  writeFileSync(config, CONFIG);
  const npm = spawn("npm", ["run", "--silent", "conform", "--", "--image", image ?? "", "--config", config], {
    cwd: packageFolder,
    env: { ...process.env, CONTROL_TOKEN: TOKEN },
  });
  let said = "";
  npm.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => said).toMatch(/checks on http:.* \(image .*\)/);
  expect(await containersLeft()).toBe(1);
  npm.kill("SIGTERM");
  await expect.poll(containersLeft).toBe(0);
});
