import { matchesGlob } from "node:path";
import { type Clause, readClauseList } from "../../suites/core/contract/clause-list.ts";
import type { Suite, SuiteCheck } from "../../suites/core/grading/suite.ts";
import { nearest } from "../nearest.ts";
import { UsageError } from "../usage-error.ts";
import { sinceVersions } from "../versions/versions.ts";
import { groupOf } from "./selection.ts";

/** True if a query matches an id, as a name or a glob, or if a text contains all of its words. Ignores case. */
function speaksOf(wanted: string, ids: readonly string[], text: string): boolean {
  const sought = wanted.toLowerCase();
  const words = sought.split(/\s+/).filter((word) => word !== "");
  return (
    ids.some((id) => id.toLowerCase() === sought || matchesGlob(id.toLowerCase(), sought)) ||
    (words.length > 0 && words.every((word) => text.toLowerCase().includes(word)))
  );
}

const ofClause = ({ id, section, text }: Clause) => ({ ids: [id], text: `${section}: ${text}` });

const ofCheck = (check: SuiteCheck) => ({
  ids: [check.id, groupOf(check), check.severity, ...check.clauses, ...check.mutants],
  text: check.title,
});

/**
 * The requested part of a suite.
 * @throws UsageError for words without a match
 */
function narrowed(suite: Suite, only: readonly string[]): Suite {
  if (only.length === 0) return suite;
  const found = (wanted: string) => {
    const clauses = suite.clauses.filter((clause) => {
      const { ids, text } = ofClause(clause);
      return speaksOf(wanted, ids, text);
    });
    const checks = suite.checks.filter((check) => {
      const { ids, text } = ofCheck(check);
      return speaksOf(wanted, ids, text) || clauses.some(({ id }) => check.clauses.includes(id));
    });
    return { clauses, checks };
  };
  const parts = only.map((wanted) => ({ wanted, ...found(wanted) }));
  const nothing = parts.find(({ clauses, checks }) => clauses.length + checks.length === 0);
  if (nothing) {
    const known = [...suite.checks, ...suite.clauses].map(({ id }) => id);
    const meant = nearest(nothing.wanted, known);
    throw new UsageError(
      `--only ${nothing.wanted}: no check, clause or mutant has this id or mentions this word${meant ? `; did you mean ${meant}?` : ""}`,
    );
  }
  return {
    ...suite,
    clauses: suite.clauses.filter((clause) => parts.some(({ clauses }) => clauses.includes(clause))),
    checks: suite.checks.filter((check) => parts.some(({ checks }) => checks.includes(check))),
  };
}

function checkLines(
  check: SuiteCheck,
  clauses: readonly Clause[],
  since: (id: string) => string,
): readonly string[] {
  const { parts } = readClauseList();
  const verified = clauses.filter(({ id }) => check.clauses.includes(id));
  const part = verified[0]?.part ?? "";
  return [
    check.id,
    `    ${check.title}`,
    `    part     ${parts[part] ?? part}`,
    ...verified.map(({ id, level, text }) => `    clause   ${id} (${level}): ${text}`),
    `    level    ${check.level}`,
    `    since    ${since(check.id)}`,
    `    needs    ${check.needs.join(", ") || "nothing in particular"}`,
    `    mutants  ${check.mutants.join(", ")}`,
  ];
}

export const checkData = (check: SuiteCheck) => ({ ...check, since: sinceVersions()(check.id) });
export const clauseData = (suite: Suite, clause: Clause) => ({
  ...clause,
  checks: suite.checks.filter(({ clauses }) => clauses.includes(clause.id)).map(({ id }) => id),
});

/**
 * The catalogue of `listChecks` as JSON: every check, and every clause with its checks.
 * @throws UsageError for an entry of `only` without a match
 */
export function catalogueData(suite: Suite, only: readonly string[] = []) {
  const { clauses, checks } = narrowed(suite, only);
  return {
    subject: suite.subject,
    checks: checks.map(checkData),
    clauses: clauses.map((clause) => clauseData(suite, clause)),
  };
}

/**
 * Lists every check with its clauses, level, needs and mutants, then every clause without a check and the reason.
 * @param only ids of checks, clauses or mutants, globs of them, or words of a title or a clause; empty for everything
 * @throws UsageError for an entry of `only` without a match
 */
export function listChecks(suite: Suite, only: readonly string[] = []): string {
  const { clauses, checks } = narrowed(suite, only);
  const without = clauses.filter(({ id }) => !suite.checks.some((check) => check.clauses.includes(id)));
  const count = (many: number, what: string) => `${many} ${what}${many === 1 ? "" : "s"}`;
  const since = sinceVersions();
  return [
    ...checks.flatMap((check) => checkLines(check, suite.clauses, since)),
    "",
    `${count(checks.length, "check")}; ${count(without.length, "clause")} without one${without.length > 0 ? ":" : ""}`,
    ...without.map((clause) => {
      const why = clause.excluded ?? "no check yet";
      return `  ${clause.id.padEnd(10)} (${clause.level}) ${clause.text}\n${" ".repeat(13)}${why}`;
    }),
  ].join("\n");
}
