import type { Claim, Subject } from "./claims.ts";
import type { Clause } from "./ledger.ts";

/** What selection, grading and reports know of a check, whatever it is an experiment on. */
export interface SuiteCheck {
  /** `group.what-it-shows`: frozen once published. */
  readonly id: string;
  /** What holds when it passes, as a sentence. */
  readonly title: string;
  readonly clauses: readonly string[];
  readonly severity: "MUST" | "SHOULD";
  readonly level: Claim;
  /** What it needs of the target beyond the common, by name. */
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
}
