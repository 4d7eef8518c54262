import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aReport } from "../report/testing/sample-report.ts";
import { callCli } from "../testing/processes/cli-in-process.ts";
import { changeLine, compareRuns } from "./compare.ts";
import { lastDurations, rememberRun, selectedByEarlierRun } from "./last-run.ts";
import { type RunSummary, type SummarizedCheck, summaryOf } from "./summary.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "comparison-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Statuses = Readonly<Record<string, SummarizedCheck["status"]>>;

const aRun = (statuses: Statuses, rest: Partial<RunSummary> = {}): RunSummary => ({
  suite: { version: "0.1.0", subject: "server" },
  target: { url: "http://127.0.0.1" },
  run: { duration_ms: 1000 },
  verdict: "NONCONFORMANT",
  checks: Object.entries(statuses).map(([id, status]) => ({
    id,
    status,
    severity: "MUST",
    message: `${id}!`,
  })),
  ...rest,
});

const BEFORE = aRun({
  a: "failed",
  b: "blocked",
  c: "passed",
  d: "passed",
  e: "not_run",
  gone: "passed",
  s: "failed",
});
const AFTER = aRun(
  { a: "passed", b: "passed", c: "failed", d: "blocked", e: "failed", new: "passed", s: "failed" },
  { verdict: "INCOMPLETE", run: { duration_ms: 2000 } },
);

test("two runs are compared by the checks that ran in both", () => {
  expect(compareRuns(BEFORE, AFTER)).toMatchObject({
    verdict: { before: "NONCONFORMANT", after: "INCOMPLETE" },
    duration_ms: { before: 1000, after: 2000 },
    fixed: ["a"],
    unblocked: ["b"],
    broken: [{ id: "c" }],
    unverified: ["d"],
    new: ["new"],
    gone: ["gone"],
  });
});

const writtenReport = (name: string, run: RunSummary): string => {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "report.json"), JSON.stringify(run));
  return join(folder, name);
};

test("the command lists fixed and broken checks, and exits with 1 if a MUST check broke", async () => {
  const [before, after] = [writtenReport("before", BEFORE), writtenReport("after", AFTER)];
  const { code, stdout } = await callCli(["diff", before, join(after, "report.json")]);
  expect(stdout).toBe(
    [
      "verdict             NONCONFORMANT → INCOMPLETE",
      "time                1.0 s → 2.0 s",
      "fixed               1: a",
      "newly verified      1: b",
      "broken              c: c!",
      "no longer verified  1: d",
      "new                 1: new",
      "gone                1: gone",
      "1 fixed, 1 newly verified, 1 broken, 1 no longer verified, 1 new, 1 gone",
      "",
    ].join("\n"),
  );
  expect(code).toBe(1);
  const same = await callCli(["diff", before, before, "--json"]);
  expect(JSON.parse(same.stdout)).toMatchObject({ fixed: [], broken: [], new: [], gone: [] });
  expect(same.code).toBe(0);
});

test("a report is compared, and another file is an error in one line", async () => {
  const report = aReport();
  expect(compareRuns(summaryOf(report), report)).toMatchObject({ fixed: [], broken: [], new: [], gone: [] });
  const file = join(folder, "none.json");
  writeFileSync(file, '{"checks":[]}');
  const { code, stderr } = await callCli(["diff", file, file]);
  expect(stderr).toBe(`error: ${file} isn't a report: give a report's folder, or its report.json\n`);
  expect(code).toBe(3);
});

const suiteOf = (run: RunSummary) => ({
  subject: "server" as const,
  checks: aReport()
    .checks.slice(0, 1)
    .flatMap((example) => run.checks.map(({ id }) => ({ ...example, id, needs: [] }))),
});

test("the last run is remembered, ignored by git, and its failed and blocked checks are selected", () => {
  expect(() => selectedByEarlierRun(suiteOf(BEFORE), { lastFailed: true }, folder)).toThrow(
    /contains no earlier run on a server/,
  );
  expect(rememberRun(BEFORE, folder)).toBeUndefined();
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("*\n");
  expect(selectedByEarlierRun(suiteOf(BEFORE), { lastFailed: true }, folder)).toEqual(["a", "b", "s"]);
  const changes = rememberRun(AFTER, folder);
  expect(changes && changeLine(changes)).toMatch(/^1 fixed, 1 newly verified, 1 broken/);
});

test("a filtered run keeps the previous results of the other checks", () => {
  rememberRun(BEFORE, folder);
  rememberRun(aRun({ a: "passed", b: "passed", c: "not_run", s: "not_run" }), folder);
  expect(selectedByEarlierRun(suiteOf(BEFORE), { lastFailed: true }, folder)).toEqual(["s"]);
  rememberRun(aRun({ s: "passed" }), folder);
  expect(() => selectedByEarlierRun(suiteOf(BEFORE), { lastFailed: true }, folder)).toThrow(
    /nothing failed in the last run/,
  );
});

test("another target is neither compared with nor mixed into the last run", () => {
  rememberRun(BEFORE, folder);
  expect(rememberRun({ ...AFTER, target: { url: "http://elsewhere" } }, folder)).toBeUndefined();
});

test("the durations of passed checks are remembered, for any target", () => {
  expect(lastDurations("server", folder)).toEqual({});
  const { checks } = aRun({ a: "passed", b: "failed" });
  const run = { ...BEFORE, checks: checks.map((check, index) => ({ ...check, duration_ms: 10 + index })) };
  rememberRun(run, folder);
  expect(lastDurations("server", folder)).toEqual({ a: 10 });
  expect(lastDurations("receiver", folder)).toEqual({});
});

test("unreadable and unwritable files are ignored", () => {
  mkdirSync(join(folder, "last.json"), { recursive: true });
  expect(rememberRun(BEFORE, folder)).toBeUndefined();
});

test("--changed-since selects the checks that didn't pass in the report", () => {
  const before = writtenReport("release", BEFORE);
  expect(selectedByEarlierRun(suiteOf(AFTER), { changedSince: before })).toEqual(["a", "b", "e", "new", "s"]);
  expect(() => selectedByEarlierRun({ ...suiteOf(AFTER), checks: [] }, { changedSince: before })).toThrow(
    /every check passed/,
  );
});

test("flags that choose the checks exclude each other", async () => {
  const { code, stderr } = await callCli(["conform", "--last-failed", "--only", "health"]);
  expect(stderr).toBe("error: --only and --last-failed exclude each other: give one of them\n");
  expect(code).toBe(3);
});
