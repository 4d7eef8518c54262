import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { startRewritingProxy } from "../../../suites/server/variants/proxy.ts";
import { runCli } from "../../testing/cli-process.ts";

const TOKEN = "control-token-of-the-test";
const LONGEST_MS = 120_000;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const ACTING = "\u001b[2J\u001b]52;c;cm0gLXJm\u0007\u009b1m\u202e";
const COMMANDS = "\n::error::marked\n##[stop-commands]x\r::add-mask::a";

test("what a target answers to a contract's requests acts on no terminal and on no job", {
  timeout: LONGEST_MS,
}, async () => {
  const server = await startReferenceServer({ controlToken: TOKEN });
  open.push(() => server.close());
  let secret = "";
  const proxy = await startRewritingProxy(server.url, (response) => {
    const given = Object(response.json).access_token;
    if (typeof given === "string") secret = given;
    else if (response.path.startsWith("/v1/payment-types") || response.status === 400)
      response.json = { [`k${ACTING}`]: `${ACTING}${COMMANDS}`, token: secret };
  });
  open.push(() => proxy.close());
  const { code, stdout, stderr } = await runCli(
    ["pact", "--url", proxy.url, "--control-url", server.controlUrl],
    { env: { CONFORM_CONTROL_TOKEN: TOKEN, GITHUB_ACTIONS: "true" } },
  );
  const all = stdout + stderr;
  expect(code).toBe(1);
  // The library's own words, which the answer stands in.
  expect(all).toContain("marked");
  expect([...all].filter((one) => /[\p{Cc}\p{Cf}]/u.test(one) && one !== "\n" && one !== "\t")).toEqual([]);
  expect(all).not.toMatch(/^\s*::(?!(error|warning) title)|##\[/m);
  expect(secret.length).toBeGreaterThan(8);
  expect(all).not.toContain(secret);
});
