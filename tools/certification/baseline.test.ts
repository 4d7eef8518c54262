import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckStatus } from "../../suites/core/grading/outcome.ts";
import { checks } from "../../suites/server/checks/index.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import { Baseline } from "./baseline.ts";

const CHECK = "creation.pin";
const TODAY = "2026-11-26";

function baselineOf(text: string) {
  const file = join(mkdtempSync(join(tmpdir(), "baseline-")), "known.yaml");
  writeFileSync(file, text);
  return { file, baseline: Baseline.read(file, serverSuite(checks), true) };
}

const ended = (status: CheckStatus) => (id: string) => (id === CHECK ? status : "passed");

const INTERMITTENT = `known_failures:\n  - { check: ${CHECK}, reason: a race, intermittent: true }\n`;

test("a baseline that is updated names an inconsistent check as intermittent", () => {
  const { file, baseline } = baselineOf("known_failures: []\n");
  const statusOf = ended("inconsistent");
  const updated = baseline.update(statusOf, [CHECK], baseline.findings(statusOf, TODAY));
  expect(readFileSync(file, "utf8")).toMatch(/intermittent: true/);
  expect(updated.findings(statusOf, TODAY).known).toMatchObject([{ check: CHECK, intermittent: true }]);
});

test.each([
  ["inconsistent", 1],
  ["failed", 1],
  ["passed", 0],
] as const)("an intermittent entry is never stale: its check %s", (status, known) => {
  const { baseline } = baselineOf(INTERMITTENT);
  const found = baseline.findings(ended(status), TODAY);
  expect(found).toMatchObject({ stale: [], overdue: [] });
  expect(found.known).toHaveLength(known);
});
