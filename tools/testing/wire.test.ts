import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "./processes/cli-process.ts";

const folder = () => mkdtempSync(join(tmpdir(), "wire-"));

interface Har {
  readonly log: { readonly entries: readonly { readonly pageref: string }[] };
}
const entriesIn = (report: string): Har["log"]["entries"] => {
  const har: Har = JSON.parse(readFileSync(join(report, "exchanges.har"), "utf8"));
  return har.log.entries;
};

describe("--record and --har", () => {
  test("a passing run's report contains all exchanges, without secrets", async () => {
    const report = folder();
    const only = ["--only", "idempotency.*,signatures.*"];
    const { stdout } = await runCli(["conform", ...only, "--report", report, "--har"]);
    const entries = entriesIn(report);
    const requests = Number(/(\d+) requests/.exec(stdout)?.[1]);
    expect(entries.length).toBeGreaterThan(requests / 2);
    expect(new Set(entries.map(({ pageref }) => pageref.split(".")[0]))).toEqual(
      new Set(["idempotency", "signatures"]),
    );
    const text = readFileSync(join(report, "exchanges.har"), "utf8");
    expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{8}/);
    expect(text).not.toMatch(/"authorization","value":"Bearer (?!\[redacted\])/);
    expect(readFileSync(join(report, "report.html"), "utf8")).toContain(
      '<script type="text/plain" data-wire-block="signatures"',
    );
  });

  test("without --har only report.html has the exchanges of passed checks", async () => {
    const report = folder();
    await runCli(["conform", "--only", "idempotency.*", "--report", report]);
    expect(entriesIn(report)).toEqual([]);
    expect(readFileSync(join(report, "report.html"), "utf8")).toContain('data-wire-block="idempotency"');
  });

  test("--record failures leaves the exchanges of passed checks out", async () => {
    const report = folder();
    await runCli(["conform", "--only", "idempotency.*", "--report", report, "--record", "failures"]);
    expect(entriesIn(report)).toEqual([]);
    expect(readFileSync(join(report, "report.html"), "utf8")).not.toContain('<script type="text/plain"');
  });

  test.each([
    ["--record of", "--record of: give all or failures"],
    ["--record failures", "--record needs a folder to write to: give --report"],
    ["--har", "--har needs a folder to write to: give --report"],
    [
      "--har --record failures --report r",
      "--har and --record failures exclude each other: give one of them",
    ],
  ])("%s is a line", async (flags, line) => {
    const { code, stderr } = await runCli(["conform", ...flags.split(" ")]);
    expect([code, stderr.trim()]).toEqual([3, expect.stringContaining(line)]);
  });
});
