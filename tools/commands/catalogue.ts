import { readLedger } from "../../suites/ledger.ts";
import type { Suite, SuiteCheck } from "../../suites/suite.ts";

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
