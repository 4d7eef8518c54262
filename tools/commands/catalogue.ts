import type { Clause } from "../../suites/ledger.ts";
import { readLedger } from "../../suites/ledger.ts";
import type { Suite, SuiteCheck } from "../../suites/suite.ts";
import { nearest } from "../selection.ts";
import { UsageError } from "../usage-error.ts";

const checksOf = (suite: Suite, clause: string): readonly SuiteCheck[] =>
  suite.checks.filter(({ clauses }) => clauses.includes(clause));

/** Every check with its clauses, level, needs and mutants; then every clause without a check, and why. */
export function listChecks(suite: Suite): string {
  const { parts } = readLedger();
  const lines: string[] = [];
  for (const check of suite.checks) {
    const part = suite.clauses.find(({ id }) => check.clauses.includes(id))?.part ?? "";
    lines.push(
      check.id,
      `    ${check.title}`,
      `    part     ${parts[part] ?? part}`,
      `    clauses  ${check.clauses.join(", ")} (${check.severity}, level ${check.level})`,
      `    needs    ${check.needs.join(", ") || "nothing beyond the common"}`,
      `    mutants  ${check.mutants.join(", ")}`,
    );
  }
  const without = suite.clauses.filter(({ id }) => checksOf(suite, id).length === 0);
  lines.push("", `${without.length} clauses without a check:`);
  for (const clause of without) {
    const why = clause.excluded ?? (clause.planned === undefined ? "no check yet" : "planned");
    lines.push(`  ${clause.id.padEnd(10)} ${why}`);
  }
  return lines.join("\n");
}

const explainClause = (suite: Suite, clause: Clause): string =>
  [
    `${clause.id}  ${clause.level}, level ${clause.claim}, subject ${clause.subject}`,
    `    ${clause.text}`,
    `    where    ${clause.section}`,
    `    checks   ${
      checksOf(suite, clause.id)
        .map(({ id }) => id)
        .join(", ") ||
      (clause.excluded ?? "none yet")
    }`,
  ].join("\n");

/**
 * What a check or a clause is about.
 * @throws UsageError for an id that is neither
 */
export function explain(suite: Suite, id: string): string {
  const clause = suite.clauses.find((one) => one.id === id);
  if (clause) return explainClause(suite, clause);
  const check = suite.checks.find((one) => one.id === id);
  if (check) {
    return [
      check.id,
      `    ${check.title}`,
      ...suite.clauses
        .filter((one) => check.clauses.includes(one.id))
        .map((one) => explainClause(suite, one)),
      `    needs    ${check.needs.join(", ") || "nothing beyond the common"}`,
      `    catches  ${check.mutants.join(", ")}`,
      `    alone    ${suite.command} --only ${check.id}`,
    ].join("\n");
  }
  const meant = nearest(id, [...suite.checks.map((one) => one.id), ...suite.clauses.map((one) => one.id)]);
  throw new UsageError(
    `--explain ${id}: no check and no clause has this id${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
  );
}
