import type { Claim, Subject } from "../../contract/claims.ts";
import type { Clause } from "../../contract/clause-list.ts";
import { operationName } from "../../contract/operation-names.ts";
import type { CheckStatus, Outcome } from "../outcome.ts";

/** A check for grading. `status` is undefined if the run ended before the check. */
export interface GradedCheck
  extends Partial<
    Pick<Outcome, "clause_findings" | "cases" | "operation" | "subject" | "relation" | "message">
  > {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly status: CheckStatus | undefined;
  /** The clauses whose failure the baseline lists. */
  readonly known?: readonly string[];
}

/**
 * The result of a clause. `warned`: a SHOULD clause failed, and doesn't count. `skipped`: a check lacks what it needs,
 * didn't run, or failed at another clause before this one. `not_tested`: no check verifies the clause.
 */
export type ClauseStatus = Exclude<CheckStatus, "not_verified"> | "warned" | "skipped" | "not_tested";

/** What one check found for a clause. */
interface ClauseCheck {
  readonly id: string;
  readonly status: ClauseStatus;
  /** The failed cases, such as elements of a set, operations or fields. */
  readonly cases?: readonly string[];
  /** The reason in a line, if the result is neither passed nor failed. */
  readonly reason?: string;
}

/** The result of a clause, combined from the results of its checks. */
export interface ClauseResult {
  readonly id: string;
  readonly level: Clause["level"];
  readonly claim: Claim;
  readonly subject: Subject;
  readonly status: ClauseStatus;
  /** The reason of a result other than passed and failed. */
  readonly reason?: string;
  /** The failed cases of all its checks. */
  readonly cases?: readonly string[];
  readonly checks: readonly ClauseCheck[];
}

/** Conditions of the run that affect the results of clauses. */
export interface ClauseConditions {
  readonly claims: readonly Claim[];
  /** SHOULD failures count as MUST failures. */
  readonly strict: boolean;
  /** The clauses that the declarations make inapplicable. */
  readonly inapplicable?: ReadonlySet<string> | undefined;
}

/** Worst first. A clause gets its worst check's status. */
const WORST_FIRST: readonly ClauseStatus[] = [
  "failed",
  "warned",
  "known_failure",
  "inconsistent",
  "errored",
  "blocked",
  "skipped",
  "not_claimed",
  "not_applicable",
  "passed",
];

/** Statuses of a check that violate clauses. */
export const FAILURES: readonly (CheckStatus | undefined)[] = ["failed", "inconsistent", "known_failure"];

/** The failed cases by name. A check without cases failed at an operation, a field, or both. */
export function failedCases({ cases, operation, subject, relation }: GradedCheck): readonly string[] {
  if (cases !== undefined && cases.failed.length > 0) return cases.failed;
  const operationWords = operation === undefined ? [] : [operationName(operation)];
  const compared = subject === undefined || relation === "not to happen" ? [] : [subject];
  const isRepeated = compared.some((words) => operationWords.some((name) => words.includes(name)));
  const name = [...(isRepeated ? [] : operationWords), ...compared].join(" ");
  return name === "" ? [] : [name];
}

function checkStatus(clause: Clause, check: GradedCheck, isDeclared: boolean): ClauseStatus {
  const { status, clause_findings: findings } = check;
  if (FAILURES.includes(status) && findings !== undefined && !findings.failed.includes(clause.id))
    return findings.held.includes(clause.id) ? "passed" : "skipped";
  if (FAILURES.includes(status) && check.known?.includes(clause.id)) return "known_failure";
  // A check of several clauses may have skipped only the declared one.
  if (status === "not_verified" && isDeclared) return "not_applicable";
  return status === undefined || status === "not_verified" ? "skipped" : status;
}

function skipReason({ status, message, clause_findings }: GradedCheck): string {
  if (status === undefined) return "not run";
  if (FAILURES.includes(status))
    return `not reached: the check failed at ${clause_findings?.failed.join(", ")}`;
  return message ?? "no reason given";
}

/** A check's result for one of its clauses. */
function clauseCheck(
  clause: Clause,
  check: GradedCheck,
  { strict, inapplicable }: ClauseConditions,
): ClauseCheck {
  const found = checkStatus(clause, check, inapplicable?.has(clause.id) ?? false);
  const status = found === "failed" && clause.level === "SHOULD" && !strict ? "warned" : found;
  const { id, message } = check;
  switch (status) {
    case "failed":
    case "warned":
    case "known_failure":
    case "inconsistent": {
      const cases = failedCases(check);
      return { id, status, ...(cases.length > 0 && { cases }) };
    }
    case "skipped":
      return { id, status, reason: skipReason(check) };
    case "errored":
    case "blocked":
    case "not_applicable":
      return { id, status, ...(message !== undefined && { reason: message }) };
    default:
      return { id, status };
  }
}

/** Combines the results of a clause's checks. All reports get clause results from here. */
export function clauseResult(
  clause: Clause,
  checks: readonly GradedCheck[],
  conditions: ClauseConditions,
): ClauseResult {
  const { id, level, claim, subject, excluded } = clause;
  const known = { id, level, claim, subject };
  if (excluded !== undefined) return { ...known, status: "not_tested", reason: excluded, checks: [] };
  const mine = checks.filter((check) => check.clauses.includes(id));
  if (mine.length === 0)
    return { ...known, status: "not_tested", reason: "no check verifies it", checks: [] };
  if (!conditions.claims.includes(claim)) {
    return {
      ...known,
      status: "not_claimed",
      checks: mine.map((check) => ({ id: check.id, status: "not_claimed" })),
    };
  }
  const found = mine.map((check) => clauseCheck(clause, check, conditions));
  const status = WORST_FIRST.find((one) => found.some((check) => check.status === one)) ?? "skipped";
  const reason = found.find((check) => check.status === status)?.reason;
  const cases = [...new Set(found.flatMap((check) => check.cases ?? []))];
  return {
    ...known,
    status,
    ...(reason !== undefined && { reason }),
    ...(cases.length > 0 && { cases }),
    checks: found,
  };
}
