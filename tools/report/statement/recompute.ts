import { isDeepStrictEqual } from "node:util";
import { declaredClauses } from "../../../suites/core/grading/clauses/declarations.ts";
import { knownClauses } from "../../../suites/core/grading/clauses/known-failures.ts";
import { EXIT_CODES, type Grade, grade } from "../../../suites/core/grading/grade.ts";
import type { CheckStatus } from "../../../suites/core/grading/outcome.ts";
import type { Suite } from "../../../suites/core/grading/suite.ts";
import { NAME, VERSION } from "../../package.ts";
import { type JudgedSuite, suiteAsOf } from "../../versions/as-of.ts";
import { CURRENT_VERSION, releasedVersions, sinceVersions, type Version } from "../../versions/versions.ts";
import type { Report } from "../model.ts";
import { clauseListDigest, documentDigest } from "./digests.ts";

const isEqual = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(a ?? null)), JSON.parse(JSON.stringify(b ?? null)));

/** Differences between the report's suite and this suite, which may explain other problems. */
function suiteProblems({ suite }: Report): readonly string[] {
  const differences: readonly (readonly [string, string | undefined, string])[] = [
    ["suite", `${suite.name} ${suite.version}`, `${NAME} ${VERSION}`],
    ["API document (SHA-256)", suite.document_sha256, documentDigest()],
    ["clause list (SHA-256)", suite.clause_list_sha256, clauseListDigest()],
  ];
  return differences
    .filter(([, reported, own]) => reported !== own)
    .map(([what, reported, own]) => `the ${what} is ${reported ?? "not named"}; this suite has ${own}`);
}

/** A line for each check that is missing, unknown, or different from this suite's check. */
function checkProblems(report: Report, suite: JudgedSuite, since: (id: string) => string): readonly string[] {
  const own = new Map(suite.checks.map((check) => [check.id, check]));
  const reported = new Set(report.checks.map(({ id }) => id));
  return [
    ...[...own.keys()].filter((id) => !reported.has(id)).map((id) => `check ${id} is missing`),
    ...report.checks.flatMap((check) => {
      const known = own.get(check.id);
      if (!known) return [`check ${check.id} isn't in this suite`];
      const parts = (["clauses", "level", "severity"] as const).filter(
        (part) => !isEqual(check[part], known[part]),
      );
      return [
        ...parts.map((part) => `check ${check.id} has a different ${part} in this suite`),
        ...(check.since === since(check.id)
          ? []
          : [`check ${check.id} was introduced in ${since(check.id)}, not in ${check.since}`]),
        ...(check.status === "coming_failure" && !mayCome(check, suite)
          ? [`check ${check.id} counts in the version that the run is judged by`]
          : []),
        ...(check.status === "failed" && suite.asOf?.newer.has(check.id)
          ? [`check ${check.id} is newer than the version that the run is judged by`]
          : []),
      ];
    }),
    ...(reported.size < report.checks.length ? ["a check is listed twice"] : []),
  ];
}

/** True if a failure may be uncounted: it is of a newer check, or of clauses that were added to the check later. */
const mayCome = (
  { id, clauses, clause_findings }: Report["checks"][number],
  { asOf }: JudgedSuite,
): boolean =>
  asOf !== undefined &&
  (asOf.newer.has(id) || clause_findings?.failed.some((clause) => clauses.includes(clause)) === false);

function gradedStatus(status: Report["checks"][number]["status"] | undefined): CheckStatus | undefined {
  if (status === "not_run") return undefined;
  return status === "coming_failure" ? "failed" : status;
}

function regrade(report: Report, suite: JudgedSuite): Grade {
  const { levels, run, baseline, checks, declarations = [] } = report;
  return grade({
    levels: suite.levels,
    clauses: suite.clauses,
    checks: suite.checks
      .filter(({ id }) => !suite.asOf?.newer.has(id))
      .map(({ id, clauses }) => {
        const reported = checks.find((check) => check.id === id);
        const graded = { ...reported, id, clauses, status: gradedStatus(reported?.status) };
        return { ...graded, known: knownClauses(graded, baseline?.known ?? []) };
      }),
    claims: suite.levels.filter((level) => (levels[level]?.verdict ?? "NOT_CLAIMED") !== "NOT_CLAIMED"),
    incomplete: !run.complete,
    strict: run.strict,
    outdatedBaseline: baseline !== undefined && baseline.stale.length + baseline.overdue.length > 0,
    declared: declaredClauses(declarations),
  });
}

function gradeProblems(report: Report, suite: JudgedSuite): readonly string[] {
  const graded = regrade(report, suite);
  // With faults of the run, the verdict is ERROR, unless the user interrupted the run.
  const isBroken = report.run.faults.length > 0 && (report.run.complete || report.verdict === "ERROR");
  const verdict = isBroken ? "ERROR" : graded.verdict;
  const code = isBroken ? EXIT_CODES.ERROR : graded.exit_code;
  const clauses = graded.clauses.map(({ claim: _, ...clause }) => clause);
  return [
    ...(report.verdict === verdict
      ? []
      : [`the verdict is ${report.verdict}; by the checks it is ${verdict}`]),
    ...(report.exit_code === code
      ? []
      : [`the exit code is ${report.exit_code}; by the checks it is ${code}`]),
    ...suite.levels
      .filter((level) => !isEqual(report.levels[level], graded.levels[level]))
      .map((level) => `level ${level} doesn't follow from its checks`),
    ...clauses
      .filter(
        (clause) =>
          !isEqual(
            report.clauses.find(({ id }) => id === clause.id),
            clause,
          ),
      )
      .map(({ id, status }) => `clause ${id} doesn't follow from its checks: by its checks it is ${status}`),
    ...(report.clauses.length === clauses.length ? [] : ["the clauses aren't those of the clause list"]),
  ];
}

/**
 * Contradictions within a report, or between the report and this suite, one line each.
 * @param released the released versions, oldest first
 */
export function reportProblems(
  report: Report,
  suite: Suite,
  released: readonly Version[] = releasedVersions(),
): readonly string[] {
  const named = report.as_of?.version;
  const version = released.find(({ name }) => name === named && name !== CURRENT_VERSION);
  const judged = suiteAsOf(suite, version);
  return [
    ...suiteProblems(report),
    ...(named === undefined || version !== undefined
      ? []
      : [`the run is judged as of ${named}, which isn't an earlier version of this suite`]),
    ...checkProblems(report, judged, sinceVersions(released)),
    ...gradeProblems(report, judged),
  ];
}
