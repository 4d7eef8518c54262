import type { Claim, Subject } from "../contract/claims.ts";
import type { Clause, Declaration } from "../contract/clause-list.ts";

/** The weight of a failure: a MUST fails the run, a SHOULD warns. */
type Severity = "MUST" | "SHOULD";

/** The properties of a check for selection, grading and reports, for all kinds of target. */
export interface SuiteCheck {
  /** `group.name`. It doesn't change after publication. */
  readonly id: string;
  /** A sentence that is true if the check passes. */
  readonly title: string;
  readonly clauses: readonly string[];
  readonly severity: Severity;
  readonly level: Claim;
  /** The capabilities that the check requires of the target. */
  readonly needs: readonly string[];
}

/** The checks and clauses for one kind of target. */
export interface Suite {
  readonly subject: Subject;
  /** The command that runs the suite, as typed. */
  readonly command: string;
  /** The levels, least demanding first. */
  readonly levels: readonly Claim[];
  /** Every clause for this kind of target. */
  readonly clauses: readonly Clause[];
  readonly checks: readonly SuiteCheck[];
  /** All declarable limitations. */
  readonly declarations: readonly Declaration[];
}

/** A check's severity: the highest among its clauses. */
export function severityOf(verified: readonly string[], clauses: readonly Clause[]): Severity {
  return clauses.some(({ id, level }) => level === "MUST" && verified.includes(id)) ? "MUST" : "SHOULD";
}
