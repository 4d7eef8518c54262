import { isDeepStrictEqual } from "node:util";
import { declaredClauses } from "../../../suites/core/grading/declarations.ts";
import { EXIT_CODES, type Grade, grade } from "../../../suites/core/grading/grade.ts";
import type { Suite } from "../../../suites/core/grading/suite.ts";
import { NAME, VERSION } from "../../package.ts";
import type { Report } from "../model.ts";
import { documentDigest, ledgerDigest } from "./digests.ts";

const same = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(a ?? null)), JSON.parse(JSON.stringify(b ?? null)));

/** What a report was made with, where that isn't what is at hand: what follows may come of that. */
function otherTools({ suite }: Report): readonly string[] {
  const differences: readonly (readonly [string, string | undefined, string])[] = [
    ["suite", `${suite.name} ${suite.version}`, `${NAME} ${VERSION}`],
    ["API document (SHA-256)", suite.document_sha256, documentDigest()],
    ["ledger of clauses (SHA-256)", suite.ledger_sha256, ledgerDigest()],
  ];
  return differences
    .filter(([, reported, own]) => reported !== own)
    .map(([what, reported, own]) => `the ${what} is ${reported ?? "not named"}; here it is ${own}`);
}

/** Checks that were left out of the report, put into it, or weighed otherwise. */
function otherChecks(report: Report, suite: Suite): readonly string[] {
  const own = new Map(suite.checks.map((check) => [check.id, check]));
  const reported = new Set(report.checks.map(({ id }) => id));
  return [
    ...[...own.keys()].filter((id) => !reported.has(id)).map((id) => `check ${id} is missing`),
    ...report.checks.flatMap((check) => {
      const known = own.get(check.id);
      if (!known) return [`check ${check.id} is none of the suite's`];
      const parts = (["clauses", "level", "severity"] as const).filter(
        (part) => !same(check[part], known[part]),
      );
      return parts.map((part) => `check ${check.id} has other ${part} than in the suite`);
    }),
    ...(reported.size < report.checks.length ? ["a check stands there twice"] : []),
  ];
}

function regrade(report: Report, suite: Suite): Grade {
  const { levels, run, baseline, checks, declarations = [] } = report;
  return grade({
    levels: suite.levels,
    clauses: suite.clauses,
    checks: suite.checks.map(({ id, clauses }) => {
      const { status, clause_findings } = checks.find((check) => check.id === id) ?? {};
      return { id, clauses, status: status === "not_run" ? undefined : status, clause_findings };
    }),
    claims: suite.levels.filter((level) => (levels[level]?.verdict ?? "NOT_CLAIMED") !== "NOT_CLAIMED"),
    incomplete: !run.complete,
    strict: run.strict,
    outdatedBaseline: baseline !== undefined && baseline.stale.length + baseline.overdue.length > 0,
    declared: declaredClauses(declarations),
  });
}

function otherGrades(report: Report, suite: Suite): readonly string[] {
  const graded = regrade(report, suite);
  // Faults of the run stand above any grade, save where a person has cut it short.
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
      .filter((level) => !same(report.levels[level], graded.levels[level]))
      .map((level) => `level ${level} isn't what its checks make of it`),
    ...clauses
      .filter(
        (clause) =>
          !same(
            report.clauses.find(({ id }) => id === clause.id),
            clause,
          ),
      )
      .map(({ id, status }) => `clause ${id} isn't what its checks make of it, which is ${status}`),
    ...(report.clauses.length === clauses.length ? [] : ["the clauses aren't those of the ledger"]),
  ];
}

/** What in a report doesn't fit together, or isn't by the suite that is at hand; nothing where all of it fits. */
export function reportProblems(report: Report, suite: Suite): readonly string[] {
  return [...otherTools(report), ...otherChecks(report, suite), ...otherGrades(report, suite)];
}
