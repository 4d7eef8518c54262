import { type AnyCheck, isExperiment } from "../../suites/check.ts";
import { checks } from "../../suites/index.ts";
import { type Clause, readLedger } from "../../suites/ledger.ts";
import { levelOf, severityOf } from "../../suites/levels.ts";
import { nearest } from "../selection.ts";
import { UsageError } from "../usage-error.ts";

const needsOf = (check: AnyCheck): readonly string[] => (isExperiment(check) ? check.needs : []);

/** Every check with its clauses, level, needs and mutants; then every clause without a check, and why. */
export function listChecks(): string {
  const { clauses, parts } = readLedger();
  const lines: string[] = [];
  for (const check of checks) {
    const mine = clauses.filter(({ id }) => check.clauses.includes(id));
    const part = mine[0] ? (parts[mine[0].part] ?? mine[0].part) : "";
    lines.push(
      check.id,
      `    ${check.title}`,
      `    part     ${part}`,
      `    clauses  ${check.clauses.join(", ")} (${severityOf(check, clauses)}, level ${levelOf(check, clauses)})`,
      `    needs    ${needsOf(check).join(", ") || "nothing beyond the API"}`,
      `    mutants  ${check.mutants.join(", ")}`,
    );
  }
  const without = clauses.filter(
    ({ id, subject }) => subject === "server" && !checks.some((check) => check.clauses.some((c) => c === id)),
  );
  lines.push("", `${without.length} clauses without a check:`);
  for (const clause of without) {
    const why = clause.excluded ?? (clause.planned === undefined ? "no check yet" : "planned");
    lines.push(`  ${clause.id.padEnd(10)} ${why}`);
  }
  return lines.join("\n");
}

const explainClause = (clause: Clause): string =>
  [
    `${clause.id}  ${clause.level}, level ${clause.claim ?? "-"}, subject ${clause.subject}`,
    `    ${clause.text}`,
    `    where    ${clause.section}`,
    `    checks   ${
      checks
        .filter((check) => check.clauses.some((id) => id === clause.id))
        .map(({ id }) => id)
        .join(", ") ||
      (clause.excluded ?? "none yet")
    }`,
  ].join("\n");

/**
 * What a check or a clause is about.
 * @throws UsageError for an id that is neither
 */
export function explain(id: string): string {
  const { clauses } = readLedger();
  const clause = clauses.find((one) => one.id === id);
  if (clause) return explainClause(clause);
  const check = checks.find((one) => one.id === id);
  if (check) {
    return [
      check.id,
      `    ${check.title}`,
      ...clauses.filter((one) => check.clauses.includes(one.id)).map(explainClause),
      `    needs    ${needsOf(check).join(", ") || "nothing beyond the API"}`,
      `    catches  ${check.mutants.join(", ")}`,
      `    alone    npm run conform -- --only ${check.id}`,
    ].join("\n");
  }
  const meant = nearest(id, [...checks.map((one) => one.id), ...clauses.map((one) => one.id)]);
  throw new UsageError(
    `--explain ${id}: no check and no clause has this id${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
  );
}
