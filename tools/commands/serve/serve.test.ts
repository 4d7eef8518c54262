import { spawn, spawnSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { startSandbox } from "../../testing/sandbox/sandbox-process.ts";

/** The printed shell lines need a POSIX shell; everything else needs only Node. */
const isCurlMissing = spawnSync("curl", ["--version"]).error !== undefined;

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function serve(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const sandbox = await startSandbox(args, environment);
  running.push(() => sandbox.kill());
  return sandbox;
}

/** Runs a shell's script. */
function shell(script: string): Promise<string> {
  const child = spawn("sh", ["-c", script]);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve) => child.once("close", () => resolve(text)));
}

describe("serve", () => {
  test.skipIf(isCurlMissing)(
    "prints commands that lead to a delivered delivery, with webhooks in the console",
    async () => {
      const token = "control-token-of-the-test";
      const { stdout, stop, ended } = await serve(["--speed", "3600"], { CONTROL_TOKEN: token });
      expect(stdout).not.toContain(token);
      const lines = stdout.split("\n").filter((line) => /^ {2}(TOKEN=|curl )/.test(line));
      expect(lines).toHaveLength(3);
      expect(await shell(lines.join("\n"))).toContain('"status":"QUEUED"');

      const url = /listens on (http[^,]*),/.exec(stdout)?.[1];
      const client = /client_id +(\S+)/.exec(stdout)?.[1];
      const sent = `${url}/console/api/integrators/${client}/sent`;
      const read = async () => (await fetch(sent, { headers: { authorization: `Bearer ${token}` } })).text();
      await expect.poll(read).toMatch(/"state":"DELIVERED"[^}]*"type":"delivery.delivered"/);
      stop();
      expect(await ended).toBe(0);
    },
  );

  test("prints a link that signs in once, and a new link once it was used", async () => {
    const { stdout, outputSoFar: said, stop, ended } = await serve(["--no-simulator"]);
    const linkIn = (text: string) => /http\S+\/console#key=\S+/.exec(text)?.[0] ?? "";
    const first = linkIn(stdout);
    const signIn = (link: string) =>
      fetch(new URL("/console/api/sign-in", link), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ key: new URL(link).hash.slice("#key=".length) }),
      });
    expect((await signIn(first)).status).toBe(200);
    expect((await signIn(first)).status).toBe(401);
    await expect.poll(() => said().stdout).toContain("A new link");
    const next = linkIn(said().stdout.slice(stdout.length));
    expect((await signIn(next)).status).toBe(200);
    stop();
    expect(await ended).toBe(0);
  });

  test("prints neither the link nor the control token to a log if the token was given", async () => {
    const { stdout, stop, ended } = await serve(["--no-simulator"], {
      CONTROL_TOKEN: "a-control-token-given",
    });
    expect(stdout).toMatch(/Console +http\S+\/console\n/);
    expect(stdout).not.toContain("#key=");
    stop();
    expect(await ended).toBe(0);
  });

  test("prints the same information as JSON", async () => {
    const { stdout, stop, ended } = await serve(["--json", "--no-simulator"]);
    const said: unknown = JSON.parse(stdout);
    expect(said).toMatchObject({
      url: expect.stringMatching(/^http:/),
      console_url: expect.stringMatching(/console$/),
      console_link: expect.stringMatching(/console#key=.{20}/),
      control_token: expect.stringMatching(/.{20}/),
      simulator: null,
      pairing_codes: [expect.any(String), expect.any(String)],
    });
    stop();
    expect(await ended).toBe(0);
  });

  test.each([
    ["--speed", "0"],
    ["--speed", "fast"],
    ["--port", "99999"],
  ])("reports an error in one line: %s %s", async (...flags) => {
    const { ended, outputSoFar: said } = await serve(flags);
    expect(await ended).toBe(3);
    expect(said().stderr).toMatch(new RegExp(`^error: ${flags[0]} takes a number[^\n]*\n$`));
  });
});
