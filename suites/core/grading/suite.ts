import type { Claim, Subject } from "../contract/claims.ts";
import type { Clause, Declaration } from "../contract/clause-list.ts";

/** The weight of a failure: a MUST fails the run, a SHOULD warns. */
type Severity = "MUST" | "SHOULD";

/** The part of a check that selection, grading and reports use, independent of its subject. */
export interface SuiteCheck {
  /** `group.what-it-shows`: frozen once published. */
  readonly id: string;
  /** The fact that a pass establishes, as a sentence. */
  readonly title: string;
  readonly clauses: readonly string[];
  readonly severity: Severity;
  readonly level: Claim;
  /** Names of the special capabilities that the check needs of the target. */
  readonly needs: readonly string[];
  /** The faults that it catches. */
  readonly mutants: readonly string[];
}

/** All that is certified of one kind of subject. */
export interface Suite {
  readonly subject: Subject;
  /** The command that runs it, as a person types it. */
  readonly command: string;
  /** The levels that there are, from the least demanding to the most. */
  readonly levels: readonly Claim[];
  /** Every clause of the subject. */
  readonly clauses: readonly Clause[];
  readonly checks: readonly SuiteCheck[];
  /** All that the subject may be declared not to do. */
  readonly declarations: readonly Declaration[];
}

/** A check's severity: the strongest level among the clauses that it verifies. */
export function severityOf(verified: readonly string[], clauses: readonly Clause[]): Severity {
  return clauses.some(({ id, level }) => level === "MUST" && verified.includes(id)) ? "MUST" : "SHOULD";
}
