import { describe, expect, test } from "vitest";
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import type { Report } from "./model.ts";
import { renderTerminal } from "./terminal.ts";
import {
  aReport,
  contextWith,
  declaredWrongly,
  FAILED,
  failures,
  type ReportOverrides,
  unverified,
  WARNED,
} from "./testing/sample-report.ts";
import { painter } from "./text/paint.ts";

const context = contextWith();
const terminal = (report: Report) => renderTerminal(report, context, painter(false));
const everywhere = (report: Report) => [
  terminal(report),
  renderSummary(report, context),
  renderHtml(report, context),
];

test("an exit code that differs from the verdict's is shown with its reason", () => {
  const entry = { clause: "IDEM-5", reason: "it is being fixed" };
  const baseline = { file: "known.yaml", known: [entry], stale: [], overdue: [] };
  const forgiven: Report = { ...aReport({ outcomes: failures, exitCode: 0 }), baseline };
  expect(forgiven.verdict).toBe("NONCONFORMANT");
  expect(terminal(forgiven)).toContain("NONCONFORMANT  (exit 0 because of the baseline)  ");
  const stale: Report = {
    ...aReport({ exitCode: 1 }),
    baseline: { ...baseline, known: [], stale: [entry] },
  };
  for (const text of everywhere(stale)) expect(text).toMatch(/exit (code )?1 because of the baseline/i);
  expect(terminal(aReport())).toContain("CONFORMANT  (exit 0)  ");
});

test("a filtered run says so, and says how --partial affects its exit code", () => {
  const filtered = aReport({ complete: false });
  expect(filtered).toMatchObject({ verdict: "INCOMPLETE", exit_code: 2, run: { filtered: true } });
  for (const text of everywhere(filtered)) {
    expect(text).toMatch(/Filtered by --only or --skip: \d+ of \d+ checks ran/);
    expect(text).toContain("With --partial, the exit code covers these checks only.");
  }
  const partial = aReport({ complete: false, partial: true });
  expect(partial).toMatchObject({ verdict: "INCOMPLETE", exit_code: 0 });
  for (const text of everywhere(partial)) expect(text).toMatch(/exit (code )?0 because of --partial/i);
  for (const text of everywhere(aReport())) expect(text).not.toContain("Filtered by");
  for (const text of everywhere(aReport({ partial: true })))
    expect(text).toContain("--partial has no effect, because neither --only nor --skip excluded a check.");
});

test("one check is in the singular", () => {
  const report = aReport();
  const one = { ...report, checks: report.checks.slice(0, 1) };
  expect(terminal(one)).toContain("(exit 0)  1 check, all passed");
});

describe("reasons that the table of MUST counts doesn't show are printed right above the verdict", () => {
  /** The lines between the table, or the notes on the run, and the verdict's line. */
  const above = (report: Report) => terminal(report).split("\n").slice(-4, -1).join("\n");
  const warned = { [WARNED]: failures[WARNED] ?? unverified };
  const failed = { [FAILED]: failures[FAILED] ?? unverified };
  const entry = { clause: "NEW-10", reason: "it is being fixed" };
  const noFindings: NonNullable<Report["baseline"]> = {
    file: "known.yaml",
    known: [],
    stale: [],
    overdue: [],
  };
  const withBaseline = (overrides: ReportOverrides, found: Partial<typeof noFindings>): Report => ({
    ...aReport({ exitCode: 1, ...overrides }),
    baseline: { ...noFindings, ...found },
  });
  const stale = { stale: [entry] };
  const errored = { [FAILED]: { ...unverified, status: "errored" } } as const;

  test.each([
    [
      "a SHOULD by --strict",
      aReport({ strict: true, outcomes: warned }),
      "With --strict, 1 SHOULD failure counts.",
    ],
    [
      "an unverified SHOULD with --strict",
      aReport({ strict: true, outcomes: { [WARNED]: unverified } }),
      "With --strict, 1 SHOULD check that could not be verified counts.",
    ],
    ["a declaration", aReport(declaredWrongly), "The run disproved these declarations: other-credentials."],
    ["a stale entry", withBaseline({}, stale), "1 entry of known.yaml is stale: its clause passes."],
    [
      "a stale entry, with --partial",
      withBaseline({ complete: false, partial: true }, stale),
      "1 entry of known.yaml is stale: its clause passes.",
    ],
    [
      "stale entries",
      withBaseline({}, { stale: [entry, entry] }),
      "2 entries of known.yaml are stale: their clauses pass.",
    ],
    ["an overdue entry", withBaseline({}, { overdue: [entry] }), "1 entry of known.yaml is expired."],
    [
      "a check that errored",
      aReport({ outcomes: errored }),
      "1 check errored because of a bug in the suite.",
    ],
    [
      "a check that reached a limit of this machine",
      aReport({ outcomes: { [FAILED]: { ...errored[FAILED], machine_error: "EMFILE" } } }),
      "1 check errored because of a resource limit on this machine (EMFILE).",
    ],
    ["a fault of the run", aReport({ faults: ["no memory"] }), "1 error occurred outside the checks."],
  ])("%s", (_, report, line) => {
    expect(above(report).endsWith(`\n${line}`)).toBe(true);
    expect(renderSummary(report, context).replaceAll("\\", "")).toContain(`\n${line}\n`);
    expect(renderHtml(report, context)).toContain(`<p>${line}</p>`);
  });

  test.each([
    ["a run in which everything passed", aReport()],
    ["a failed MUST", aReport({ outcomes: failed })],
    [
      "a failed MUST at the level of a failed SHOULD",
      aReport({ strict: true, outcomes: { ...failed, ...warned } }),
    ],
    ["a failed MUST and a stale entry", withBaseline({ outcomes: failed }, stale)],
    ["a warning", aReport({ outcomes: warned })],
    ["--strict without a failure", aReport({ strict: true })],
    [
      "a MUST that isn't verified",
      aReport({ strict: true, outcomes: { [FAILED]: unverified, [WARNED]: unverified } }),
    ],
    ["a filtered run", aReport({ complete: false, strict: true, outcomes: { [WARNED]: unverified } })],
    ["a valid baseline", withBaseline({ exitCode: 0 }, {})],
  ])("nothing of %s", (_, report) => {
    expect(above(report)).not.toMatch(/--strict|stale|overdue|errored|fault/);
    const [masthead] = /<header>.*?<\/header>/s.exec(renderHtml(report, context)) ?? [];
    expect(masthead).toMatch(/exit code \d[^<]*<\/p>\s*<ul class="levels"/);
  });

  test("a known MUST failure isn't a reason for the exit code", () => {
    const outcomes = { ...failed, ...warned };
    const report = aReport({ strict: true, outcomes });
    const known: Report = {
      ...report,
      checks: report.checks.map((check) =>
        check.id === FAILED ? { ...check, status: "known_failure" } : check,
      ),
      baseline: { ...noFindings, known: [{ ...entry, clause: "IDEM-5" }] },
    };
    expect(above(known)).toContain("With --strict, 1 SHOULD failure counts.");
  });
});
