import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import { packageFolder } from "../package.ts";
import { CURRENT_VERSION, type Version, versionOf } from "../versions/versions.ts";
import { renderAnnotations } from "./formats/github.ts";
import { renderJunit } from "./formats/junit.ts";
import schema from "./formats/report.schema.json" with { type: "json" };
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import type { Report } from "./model.ts";
import { renderAttestation } from "./statement/attestation.ts";
import { reportProblems } from "./statement/recompute.ts";
import { renderTerminal } from "./terminal.ts";
import { aReport, contextWith, FAILED, WARNED } from "./testing/sample-report.ts";
import { painter } from "./text/paint.ts";

const suite = serverSuite();
const lists = readFileSync(join(packageFolder, "tools/testing/public-surface/list-conform.txt"), "utf8");
const failure: Outcome = { status: "failed", duration_ms: 1, requests: 1, message: "it doesn't hold" };
const OTHER = "creation.unknown-store";

/** A made-up earlier version with a changed list of checks. */
const earlier = (change: (lists: string) => string): Version => versionOf("0.0", change(lists));
const withoutChecks = (...ids: readonly string[]): Version =>
  earlier((all) =>
    all
      .split("\n")
      .filter((line) => !ids.some((id) => line.startsWith(`${id}:`)))
      .join("\n"),
  );
const statusOf = (report: Report, id: string) => report.checks.find((check) => check.id === id)?.status;
const terminal = (report: Report): string => renderTerminal(report, contextWith(), painter(false));

test("a failure of a newer check is coming, and doesn't count", () => {
  const asOf = withoutChecks(FAILED, OTHER);
  const report = aReport({ asOf, outcomes: { [FAILED]: failure, [OTHER]: failure } });
  expect(report).toMatchObject({
    verdict: "CONFORMANT",
    exit_code: 0,
    as_of: { version: "0.0", present: CURRENT_VERSION, verdict_by_present: "NONCONFORMANT" },
    causes: [],
  });
  expect([FAILED, OTHER].map((id) => statusOf(report, id))).toEqual(["coming_failure", "coming_failure"]);
  expect(report.checks.filter(({ since }) => since === CURRENT_VERSION).map(({ id }) => id)).toEqual(
    suite.checks.map(({ id }) => id).filter((id) => id === FAILED || id === OTHER),
  );
});

test("a failure of an older check counts", () => {
  const report = aReport({ asOf: withoutChecks(OTHER), outcomes: { [FAILED]: failure, [OTHER]: failure } });
  expect(report.verdict).toBe("NONCONFORMANT");
  expect([FAILED, OTHER].map((id) => statusOf(report, id))).toEqual(["failed", "coming_failure"]);
});

test("a newer check that can't run leaves nothing unverified", () => {
  const unverified: Outcome = { status: "not_verified", duration_ms: 0, requests: 0, message: "no way" };
  expect(aReport({ asOf: withoutChecks(FAILED), outcomes: { [FAILED]: unverified } }).verdict).toBe(
    "CONFORMANT",
  );
  expect(aReport({ outcomes: { [FAILED]: unverified } }).verdict).toBe("INCOMPLETE");
});

test("a clause keeps its earlier severity: a SHOULD that became a MUST only warns", () => {
  const clauses = suite.checks.find(({ id }) => id === FAILED)?.clauses ?? [];
  const asOf = earlier((all) =>
    clauses.reduce((text, id) => text.replaceAll(`${id} (MUST)`, `${id} (SHOULD)`), all),
  );
  const others = suite.checks.filter(
    (check) => check.id !== FAILED && check.clauses.some((id) => clauses.includes(id)),
  );
  const report = aReport({ asOf, outcomes: { [FAILED]: failure } });
  expect(report.checks.find(({ id }) => id === FAILED)).toMatchObject({
    status: "failed",
    severity: "SHOULD",
  });
  expect(report.clauses.filter(({ id }) => clauses.includes(id)).map(({ level }) => level)).toEqual(
    clauses.map(() => "SHOULD"),
  );
  expect(report).toMatchObject({ verdict: "CONFORMANT", as_of: { verdict_by_present: "NONCONFORMANT" } });
  expect(others.length).toBeGreaterThan(0);
});

test("a failure of a clause that was added to the check later doesn't count", () => {
  const clauses = suite.checks.find(({ id }) => id === FAILED)?.clauses ?? [];
  const [added = "", ...kept] = clauses;
  const asOf = earlier((all) =>
    all.replace(new RegExp(`^(${FAILED}: .*?)${added} \\(MUST\\)(, )?`, "m"), "$1"),
  );
  const findings = { failed: [added], held: kept, not_reached: [] };
  const report = aReport({ asOf, outcomes: { [FAILED]: { ...failure, clause_findings: findings } } });
  expect(report.checks.find(({ id }) => id === FAILED)).toMatchObject({
    status: "coming_failure",
    clauses: kept,
  });
  expect(report).toMatchObject({ verdict: "CONFORMANT", as_of: { verdict_by_present: "NONCONFORMANT" } });
});

const LINE = `Judged as of 0.0. Not counted: 2 failures of checks that ${CURRENT_VERSION} added, 1 warning of checks that ${CURRENT_VERSION} added. Judged as of ${CURRENT_VERSION}, the verdict would be NONCONFORMANT.`;
const asOf = withoutChecks(FAILED, OTHER, WARNED);
const judged = aReport({ asOf, outcomes: { [FAILED]: failure, [OTHER]: failure, [WARNED]: failure } });

test("every report format shows this", () => {
  expect(terminal(judged)).toContain(`\n${LINE}\nCONFORMANT  (exit 0)`);
  expect(terminal(judged)).toContain(`UPCOMING  ${FAILED} (${CURRENT_VERSION}): it doesn't hold`);
  expect(renderSummary(judged, contextWith())).toContain(
    `Judged as of 0.0. Not counted: 2 failures of checks that ${CURRENT_VERSION} added`,
  );
  expect(renderSummary(judged, contextWith())).toContain("### Upcoming (3)");
  expect(renderHtml(judged, contextWith())).toContain(`<p>${LINE}</p>`);
  expect(renderHtml(judged, contextWith())).toContain(`<details class="check coming_failure" id="${FAILED}"`);
  const junit = renderJunit(judged, contextWith());
  expect(junit).not.toContain("<failure");
  expect(junit).toContain(`<skipped message="coming, since ${CURRENT_VERSION}: it doesn&#39;t hold"/>`);
  expect(renderAnnotations(judged)).toEqual([
    expect.stringMatching(
      /^::notice title=Judged as of 0\.0\. Not counted%3A 2 failures of checks that \S+ added/,
    ),
  ]);
  expect(JSON.parse(renderAttestation(judged)).predicate.configuration[0].annotations).toMatchObject({
    verdict: "CONFORMANT",
    judged_as_of: "0.0",
  });
});

test("a run judged as the current version mentions no versions", () => {
  expect(terminal(aReport())).not.toContain("as of");
  expect(aReport()).not.toHaveProperty("as_of");
  expect(terminal(aReport({ asOf }))).toContain("Judged as of 0.0. No newer check failed.");
});

test("report.json fits its schema, and verify accepts it with the versions given", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const isReport = ajv.compile(schema);
  expect(isReport(JSON.parse(JSON.stringify(judged))), JSON.stringify(isReport.errors)).toBe(true);
  expect(reportProblems(judged, suite, [asOf])).toEqual([]);
});

test.each<[string, (report: Report) => Report, string]>([
  [
    "a failure that counts is marked as coming",
    (report) => ({
      ...report,
      checks: report.checks.map((check) =>
        check.id === "health.ok" ? { ...check, status: "coming_failure" } : check,
      ),
    }),
    "check health.ok counts in the version that the run is judged by",
  ],
  [
    "a check's version is changed to a later one",
    (report) => ({
      ...report,
      checks: report.checks.map((check) =>
        check.id === "health.ok" ? { ...check, since: CURRENT_VERSION } : check,
      ),
    }),
    `check health.ok was introduced in 0.0, not in ${CURRENT_VERSION}`,
  ],
  [
    "it is judged as an unknown version",
    (report) => ({
      ...report,
      as_of: { version: "0.00", present: CURRENT_VERSION, verdict_by_present: "CONFORMANT" },
    }),
    "the run is judged as of 0.00, which isn't an earlier version of this suite",
  ],
])("verify detects that %s", (_, change, problem) => {
  expect(reportProblems(change(judged), suite, [asOf])).toContain(problem);
});
