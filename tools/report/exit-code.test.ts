import { expect, test } from "vitest";
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import type { Report } from "./model.ts";
import { painter, renderTerminal } from "./terminal.ts";
import { aReport, contextWith, FAILED, failures } from "./testing/sample-report.ts";

const context = contextWith();
const terminal = (report: Report) => renderTerminal(report, context, painter(false));
const everywhere = (report: Report) => [
  terminal(report),
  renderSummary(report, context),
  renderHtml(report, context),
];

test("an exit code that isn't the verdict's says by what it is", () => {
  const entry = { check: FAILED, reason: "it is being mended" };
  const baseline = { file: "known.yaml", known: [entry], stale: [], overdue: [] };
  const forgiven: Report = { ...aReport({ outcomes: failures, exitCode: 0 }), baseline };
  expect(forgiven.verdict).toBe("NONCONFORMANT");
  expect(terminal(forgiven)).toContain("NONCONFORMANT  (exit 0 by the baseline)  ");
  const stale: Report = {
    ...aReport({ exitCode: 1 }),
    baseline: { ...baseline, known: [], stale: [entry] },
  };
  for (const text of everywhere(stale)) expect(text).toMatch(/exit (code )?1 by the baseline/i);
  expect(terminal(aReport())).toContain("CONFORMANT  (exit 0)  ");
});

test("a filtered run says so, and what --partial makes of it", () => {
  const filtered = aReport({ complete: false });
  expect(filtered).toMatchObject({ verdict: "INCOMPLETE", exit_code: 2, run: { filtered: true } });
  for (const text of everywhere(filtered)) {
    expect(text).toMatch(/Filtered by --only or --skip: \d+ of \d+ checks ran/);
    expect(text).toContain("With --partial the exit code is that of these alone.");
  }
  const partial = aReport({ complete: false, partial: true });
  expect(partial).toMatchObject({ verdict: "INCOMPLETE", exit_code: 0 });
  for (const text of everywhere(partial)) expect(text).toMatch(/exit (code )?0 by --partial/i);
  for (const text of everywhere(aReport())) expect(text).not.toContain("Filtered by");
  for (const text of everywhere(aReport({ partial: true })))
    expect(text).toContain("--partial changed nothing: neither --only nor --skip left anything out.");
});

test("one check is a check", () => {
  const report = aReport();
  const one = { ...report, checks: report.checks.slice(0, 1) };
  expect(terminal(one)).toContain("(exit 0)  1 check, all passed");
});
