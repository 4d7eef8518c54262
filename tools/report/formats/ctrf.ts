import type { ClauseStatus } from "../../../suites/core/grading/clauses/clause-results.ts";
import type { Report, ReportContext, ReportedClause } from "../model.ts";
import { clauseDuration, clauseMessage, decisiveChecks } from "../text/clause-message.ts";
import { failureText } from "../text/failure-text.ts";
import { verdictMeaning } from "../text/labels.ts";
import { jsonFile } from "./json.ts";

type Status = "passed" | "failed" | "skipped" | "pending" | "other";

/**
 * The test status for each result. Failures that don't count are skipped, as in junit.xml. `other` is neither a pass nor
 * a failure of the target.
 */
const STATUSES: Readonly<Record<ClauseStatus, Status>> = {
  passed: "passed",
  failed: "failed",
  inconsistent: "other",
  errored: "other",
  warned: "skipped",
  known_failure: "skipped",
  blocked: "skipped",
  skipped: "skipped",
  not_applicable: "skipped",
  not_tested: "skipped",
  not_claimed: "skipped",
};

function clauseTest(clause: ReportedClause, report: Report, context: ReportContext) {
  const { id, level, reason } = clause;
  const status = STATUSES[clause.status];
  const stated = context.clauses.find((one) => one.id === id);
  const isSilent = clause.status === "passed" || clause.status === "not_claimed";
  const trace = () => decisiveChecks(clause, report).map((check) => failureText(check, context));
  return {
    name: `${id}: ${stated?.text ?? ""}`,
    status,
    rawStatus: clause.status,
    duration: Math.round(clauseDuration(clause, report)),
    suite: [stated?.claim ?? "other", stated?.part ?? "other"],
    tags: [level],
    ...(!isSilent && { message: reason ?? clauseMessage(clause, report) }),
    ...((status === "failed" || status === "other") && { trace: trace().join("\n\n") }),
  };
}

/** A test for the verdict. With it, the file contains a failure whenever the exit code isn't 0. */
const verdictTest = (report: Report) => ({
  name: "verdict",
  status: report.exit_code === 0 ? ("passed" as const) : ("failed" as const),
  rawStatus: report.verdict,
  duration: 0,
  message: [`${report.verdict}: ${verdictMeaning(report)}`, ...report.run.faults].join("\n"),
});

/** The contents of ctrf.json (https://ctrf.io): a test for each clause, and a test for the verdict. */
export function renderCtrf(report: Report, context: ReportContext): string {
  const { suite, run, target } = report;
  const tests = [verdictTest(report), ...report.clauses.map((one) => clauseTest(one, report, context))];
  const count = (status: Status) => tests.filter((one) => one.status === status).length;
  const start = Date.parse(run.started_at);
  const summary = {
    tests: tests.length,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    pending: count("pending"),
    other: count("other"),
    start,
    stop: start + Math.round(run.duration_ms),
  };
  const tool = { name: suite.name, version: suite.version };
  const environment = { appName: target.url, ...(target.version && { appVersion: target.version }) };
  return jsonFile({
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    results: { tool, summary, tests, environment },
  });
}
