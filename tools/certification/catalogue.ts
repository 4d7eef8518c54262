import { matchesGlob } from "node:path";
import { type Clause, readClauseList } from "../../suites/core/contract/clause-list.ts";
import type { Suite, SuiteCheck } from "../../suites/core/grading/suite.ts";
import { nearest } from "../nearest.ts";
import { counted } from "../report/text/counted.ts";
import { UsageError } from "../usage-error.ts";
import { sinceVersions } from "../versions/versions.ts";
import { groupOf } from "./selection.ts";

/** True if the query equals an id, is a glob that matches an id, or consists of words that the text contains. Ignores case. */
function matchesQuery(query: string, ids: readonly string[], text: string): boolean {
  const lowerQuery = query.toLowerCase();
  const words = lowerQuery.split(/\s+/).filter((word) => word !== "");
  return (
    ids.some((id) => id.toLowerCase() === lowerQuery || matchesGlob(id.toLowerCase(), lowerQuery)) ||
    (words.length > 0 && words.every((word) => text.toLowerCase().includes(word)))
  );
}

const clauseTexts = ({ id, section, text }: Clause) => ({ ids: [id], text: `${section}: ${text}` });

const checkTexts = (check: SuiteCheck) => ({
  ids: [check.id, groupOf(check), check.severity, ...check.clauses],
  text: check.title,
});

/**
 * The checks and clauses of a suite that match a query in `only`; every check and clause if `only` is empty.
 * @throws UsageError for a query without a match
 */
function selectedPart(suite: Suite, only: readonly string[]): Suite {
  if (only.length === 0) return suite;
  const matchesOf = (query: string) => {
    const clauses = suite.clauses.filter((clause) => {
      const { ids, text } = clauseTexts(clause);
      return matchesQuery(query, ids, text);
    });
    const checks = suite.checks.filter((check) => {
      const { ids, text } = checkTexts(check);
      return matchesQuery(query, ids, text) || clauses.some(({ id }) => check.clauses.includes(id));
    });
    return { clauses, checks };
  };
  const parts = only.map((query) => ({ query, ...matchesOf(query) }));
  const unmatched = parts.find(({ clauses, checks }) => clauses.length + checks.length === 0);
  if (unmatched) {
    const known = [...suite.checks, ...suite.clauses].map(({ id }) => id);
    const meant = nearest(unmatched.query, known);
    throw new UsageError(
      `--only ${unmatched.query}: no check or clause has this id or mentions this word${meant ? `; did you mean ${meant}?` : ""}`,
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
  ];
}

export const checkData = (check: SuiteCheck) => ({ ...check, since: sinceVersions()(check.id) });
export const clauseData = (suite: Suite, clause: Clause) => ({
  ...clause,
  checks: suite.checks.filter(({ clauses }) => clauses.includes(clause.id)).map(({ id }) => id),
});

/**
 * The data of `listChecks`: the checks, and the clauses with the ids of their checks.
 * @throws UsageError for an entry of `only` without a match
 */
export function catalogueData(suite: Suite, only: readonly string[] = []) {
  const { clauses, checks } = selectedPart(suite, only);
  return {
    subject: suite.subject,
    checks: checks.map(checkData),
    clauses: clauses.map((clause) => clauseData(suite, clause)),
  };
}

/**
 * The text of --list: each check with its clauses, level and needs, then the clauses without a check, with reasons.
 * @param only ids of checks or clauses, globs of them, or words of a title or a clause; empty for everything
 * @throws UsageError for an entry of `only` without a match
 */
export function listChecks(suite: Suite, only: readonly string[] = []): string {
  const { clauses, checks } = selectedPart(suite, only);
  const unchecked = clauses.filter(({ id }) => !suite.checks.some((check) => check.clauses.includes(id)));

  const since = sinceVersions();
  return [
    ...checks.flatMap((check) => checkLines(check, suite.clauses, since)),
    "",
    `${counted(checks.length, "check")}; ${counted(unchecked.length, "clause")} without a check${unchecked.length > 0 ? ":" : ""}`,
    ...unchecked.map((clause) => {
      const why = clause.excluded ?? "no check yet";
      return `  ${clause.id.padEnd(10)} (${clause.level}) ${clause.text}\n${" ".repeat(13)}${why}`;
    }),
  ].join("\n");
}
