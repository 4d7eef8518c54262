import { expect, test } from "vitest";
import { callCli } from "../testing/processes/cli-in-process.ts";

test.each(["conform", "receiver", "client"])("%s --list --json lists its checks as JSON", async (command) => {
  const { code, stdout } = await callCli([command, "--list", "--json"]);
  expect(code).toBe(0);
  const { checks, clauses } = JSON.parse(stdout);
  expect(checks.length).toBeGreaterThan(5);
  expect(clauses.length).toBeGreaterThan(5);
});

test("--explain --json prints only an object", async () => {
  const { code, stdout } = await callCli(["conform", "--explain", "IDEM-2", "--json"]);
  expect({ code, answer: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    answer: { clause: { id: "IDEM-2" } },
  });
});

test.each([
  [
    ["--list", "--json-lines"],
    /^error: --json-lines prints the results of a run: with --list or --explain, give --json\n$/,
  ],
  [["--json", "--json-lines"], /^error: --json and --json-lines exclude each other: give one of them\n$/],
])("%j is reported in one line", async (flags, message) => {
  const { code, stderr } = await callCli(["conform", ...flags]);
  expect(stderr).toMatch(message);
  expect(code).toBe(3);
});
