import { execFile } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { mutantOf } from "../../../suites/server/mutants/index.ts";

/**
 * Needs a container engine (DOCKER_HOST) with the command line's image (TEST_RUNNER_IMAGE, which .ci/image builds). A
 * separate step of .ci/run runs it; an ordinary test run skips it.
 */
const image = process.env.TEST_RUNNER_IMAGE;

/** Neither root nor the image's own user. Without root it is the test's user, who can't change a folder's owner. */
const OWNER = process.getuid?.() === 0 ? 4321 : (process.getuid?.() ?? 0);

function folderOfOwner(): string {
  const folder = mkdtempSync(join(tmpdir(), "runner-"));
  chownSync(folder, OWNER, OWNER);
  return folder;
}

function docker(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...environment };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile("docker", args, { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}
const inFolder = (folder: string) => ["run", "--rm", "--network", "host", "-v", `${folder}:/work`];

describe.skipIf(image === undefined)("the command line in a container", () => {
  const name = image ?? "";

  test("certifies the embedded server, and its report belongs to the folder's owner", async () => {
    const folder = folderOfOwner();
    const conform = ["conform", "--only", "health", "--partial", "--report", "out"];
    const { code, stdout } = await docker(["run", "--rm", "-v", `${folder}:/work`, name, ...conform]);
    expect(stdout).toMatch(/^INCOMPLETE {2}\(exit 0 because of --partial\) {2}3 checks, all passed/m);
    expect(code).toBe(0);
    for (const file of ["out", "out/report.html", ".courier-conform/last.json"])
      expect(statSync(join(folder, file)).uid).toBe(OWNER);
  });

  test("certifies a server on this machine with the folder's settings, and prints how to repeat it", async () => {
    const CONFORM_CONTROL_TOKEN = "a-control-token-of-the-test";
    const { mutate } = mutantOf("health-ok-is-text");
    const server = await startReferenceServer({ controlToken: CONFORM_CONTROL_TOKEN, mutate });
    const folder = folderOfOwner();
    writeFileSync(
      join(folder, "conform.yaml"),
      `url: ${server.url}\ncontrol: { url: "${server.controlUrl}", token: "\${CONFORM_CONTROL_TOKEN}" }\n`,
    );
    const only = ["conform", "--only", "health,signatures.of-events", "--report", "out"];
    const { code, stdout } = await docker(
      [...inFolder(folder), "-e", "CONFORM_CONTROL_TOKEN", name, ...only],
      { CONFORM_CONTROL_TOKEN },
    );
    await server.close();
    expect(stdout).toMatch(/^NONCONFORMANT .* 4 checks, 3 passed/m);
    expect(stdout).toMatch(
      / docker run --rm --network host -v "\$PWD:\/work" .* courier-conform conform --url/,
    );
    expect(code).toBe(1);
    expect(readFileSync(join(folder, "out/report.json"), "utf8")).not.toContain(CONFORM_CONTROL_TOKEN);
  });

  test("shows its commands, and reports a mistake in one line", async () => {
    expect((await docker(["run", "--rm", name])).stdout).toMatch(/^Usage: courier-conform/);
    const { code, stderr } = await docker(["run", "--rm", name, "conform", "--url", "nowhere"]);
    expect(stderr).toMatch(/^error: --url is not a URL: nowhere.*\n$/);
    expect(code).toBe(3);
  });

  test("serves an agent on standard input and output", async () => {
    const { code, stdout, stderr } = await docker(["run", "--rm", name, "mcp"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
