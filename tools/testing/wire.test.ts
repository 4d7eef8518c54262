import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "./cli-process.ts";

const folder = () => mkdtempSync(join(tmpdir(), "wire-"));

interface Har {
  readonly log: { readonly entries: readonly { readonly pageref: string }[] };
}
const entriesIn = (report: string): Har["log"]["entries"] => {
  const har: Har = JSON.parse(readFileSync(join(report, "exchanges.har"), "utf8"));
  return har.log.entries;
};

describe("--wire", () => {
  test("all that a green run sent and got is in the report, without its secrets", async () => {
    const report = folder();
    const { stdout } = await runCli(["conform", "--only", "idempotency.*,signatures.*", "--report", report]);
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

  test("off leaves it out, and the rest is there", async () => {
    const report = folder();
    await runCli(["conform", "--only", "idempotency.*", "--report", report, "--wire", "off"]);
    expect(entriesIn(report)).toEqual([]);
    expect(readFileSync(join(report, "report.html"), "utf8")).not.toContain('<script type="text/plain"');
  });

  test("another word than on and off is a line", async () => {
    const { code, stderr } = await runCli(["conform", "--wire", "of"]);
    expect([code, stderr.trim()]).toEqual([3, expect.stringContaining("--wire of: give on or off")]);
  });
});
