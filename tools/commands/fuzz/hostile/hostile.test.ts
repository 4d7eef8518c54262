import { describe, expect, test } from "vitest";
import { cliPath } from "../../../testing/processes/cli-process.ts";
import { CONTROL_CHARACTERS } from "./attacks.ts";
import { faultsIn, fuzzHostile } from "./fuzz.ts";
import { ROUNDS } from "./rounds.ts";
import type { HostileRun } from "./run.ts";

const SECRET = "a-secret/of the-target-1";
const report = (verdict: string, rest = "") => JSON.stringify({ verdict, rest });

const sound: HostileRun = {
  code: 1,
  durationMs: 5_000,
  peakBytes: 300 * 1024 * 1024,
  hung: false,
  texts: {
    stdout: "::error title=a.b::c\nNONCONFORMANT  (exit 1)\n",
    stderr: "",
    "report.json": report("NONCONFORMANT"),
  },
};
const withText = (name: string, text: string): HostileRun => ({
  ...sound,
  texts: { ...sound.texts, [name]: text },
});
const judged = (run: HostileRun) => faultsIn(run, new Set([SECRET]));

describe("what a run on a hostile target must not come to is found", () => {
  test("and nothing else is", () => {
    expect(judged(sound)).toEqual([]);
    const passing = { ...sound, code: 0, texts: { stdout: "", stderr: "" } };
    expect(judged(passing)).toEqual(["exit code 0"]);
    expect(faultsIn(passing, new Set(), [])).toEqual([]);
    expect(faultsIn(passing, new Set(), ["a token: html"])).toEqual(["it passed, but a token: html"]);
  });

  test.each<[string, HostileRun, RegExp]>([
    [
      "a verdict",
      { ...sound, code: 0, texts: { "report.json": report("CONFORMANT") } },
      /its verdict is CONFORMANT/,
    ],
    ["half a report", withText("report.json", '{"verdict":'), /its verdict is unreadable/],
    [
      "half a character",
      withText("exchanges.har", '{"a":"\\ud800"}'),
      /exchanges\.har contains a lone surrogate/,
    ],
    ["a crash", { ...sound, code: null }, /exit code null/],
    ["a hang", { ...sound, hung: true }, /it hung/],
    ["memory", { ...sound, peakBytes: 3 * 1024 ** 3 }, /3072 MB/],
    [
      "a control character",
      withText("report.html", `x${[...CONTROL_CHARACTERS].at(-1)}`),
      /report\.html contains U\+feff/,
    ],
    ["a wiped screen", withText("stdout", "\u001b[2J"), /stdout contains U\+1b/],
    ["a secret", withText("summary.md", `x ${SECRET}`), /summary\.md contains a secret/],
    [
      "a secret in base64",
      withText("stderr", Buffer.from(SECRET).toString("base64")),
      /stderr contains a secret/,
    ],
    [
      "a secret of PHP's",
      withText("junit.xml", SECRET.replaceAll("/", "\\/")),
      /junit\.xml contains a secret/,
    ],
    ["a secret that was cut", withText("badge.svg", SECRET.slice(0, 21)), /badge\.svg contains a secret/],
    ["a workflow command", withText("stdout", "ok\n ::add-mask::x"), /stdout contains a workflow command/],
    ["an old one", withText("stderr", "x ##[stop-commands]y"), /stderr contains a workflow command/],
    ["our own fault", withText("stderr", "error: a bug in courier-conform"), /reports a bug in the suite/],
  ])("%s", (_, run, fault) => {
    expect(judged(run).join("\n")).toMatch(fault);
  });
});

// A selection: control characters, slow texts, repeated secrets, and all attacks at once. `npm run fuzz -- --hostile` plays
// every attack.
test.concurrent.for([
  "conform: control-characters",
  "conform: quotes-without-end",
  "conform: repeats-secrets",
  "conform: all of them",
  "receiver: repeats-without-end",
  "client: smuggles",
  "client: names-of-built-in-properties",
  "client: control-characters-and-commands",
  "client: repeats-secrets",
  "client: many-values",
  ...ROUNDS.map(({ name }) => name).filter((name) => name.startsWith("pact file: ")),
])("the suite withstands %s", async (name) => {
  const lines: string[] = [];
  // A run whose first response exceeds timeoutS ends without an attack, so the limit is generous for a busy machine.
  const options = { rounds: 1, checks: 14, timeoutS: 5, program: cliPath };
  const onRound = (line: string) => void lines.push(line);
  expect(
    await fuzzHostile({
      ...options,
      seed: ROUNDS.findIndex((round) => round.name === name) + 10 * ROUNDS.length,
      onRound,
    }),
  ).toEqual([]);
  expect(lines.at(-1)).toMatch(new RegExp(`^${name}: [1-9]\\d* attacks`));
});
