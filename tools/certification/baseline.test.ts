import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ClauseResult } from "../../suites/core/grading/clauses/clause-results.ts";
import { checks } from "../../suites/server/checks/index.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import { Baseline } from "./baseline.ts";

const CLAUSE = "LIST-9";
const TODAY = "2026-11-26";

function baselineOf(text: string) {
  const file = join(mkdtempSync(join(tmpdir(), "baseline-")), "known.yaml");
  writeFileSync(file, text);
  return { file, baseline: Baseline.read(file, serverSuite(checks), true) };
}

const clauseResults = (
  status: "passed" | "failed" | "inconsistent",
  cases?: readonly string[],
): ClauseResult[] => [
  {
    id: CLAUSE,
    level: "MUST",
    claim: "api",
    subject: "server",
    status,
    ...(cases && { cases }),
    checks: [{ id: "paging.limit", status, ...(cases && { cases }) }],
  },
];

const entry = (otherFields: string) =>
  `known_failures:\n  - { clause: ${CLAUSE}, reason: a race, ${otherFields} }\n`;

test("an updated baseline marks an inconsistent clause as intermittent", () => {
  const { file, baseline } = baselineOf("known_failures: []\n");
  const results = clauseResults("inconsistent");
  const updated = baseline.update(
    results,
    [{ clause: CLAUSE, intermittent: true }],
    baseline.findings(results, TODAY),
  );
  expect(readFileSync(file, "utf8")).toMatch(/intermittent: true/);
  expect(updated.findings(results, TODAY).known).toMatchObject([{ clause: CLAUSE, intermittent: true }]);
});

test.each([
  ["inconsistent", 1],
  ["failed", 1],
  ["passed", 0],
] as const)("an intermittent entry is never stale: its clause %s", (status, known) => {
  const { baseline } = baselineOf(entry("intermittent: true"));
  const findings = baseline.findings(clauseResults(status), TODAY);
  expect(findings).toMatchObject({ stale: [], overdue: [] });
  expect(findings.known).toHaveLength(known);
});

test.each([
  ["at its cases", ["limit=1", "limit=2"], 1],
  ["at some of its cases", ["limit=2"], 1],
  ["at an additional case", ["limit=2", "limit=3"], 0],
  ["without a named case", undefined, 0],
] as const)("an entry with cases covers a clause that fails %s: %s, %i", (_, cases, known) => {
  const { baseline } = baselineOf(entry("cases: [limit=1, limit=2]"));
  expect(baseline.findings(clauseResults("failed", cases), TODAY).known).toHaveLength(known);
});

test("an update replaces an entry that covers too few cases, and keeps its reason and date", () => {
  const { file, baseline } = baselineOf(entry("cases: [limit=1], until: 2999-01-31"));
  const cases = ["limit=1", "limit=3"];
  const results = clauseResults("failed", cases);
  const updated = baseline.update(results, [{ clause: CLAUSE, cases }], baseline.findings(results, TODAY));
  expect(updated.entries).toEqual([{ clause: CLAUSE, cases, reason: "a race", until: "2999-01-31" }]);
  expect(readFileSync(file, "utf8")).toContain("- limit=3");
});
