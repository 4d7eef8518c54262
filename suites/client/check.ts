import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { judgeEachCase } from "../core/grading/expectations/each-element.ts";
import type { Evidence } from "./session/evidence.ts";
import type { ScenarioName } from "./session/scenarios/scenarios.ts";

/**
 * Runs a check over several cases, so that the report lists the failed cases, the passed cases and the elements
 * covered.
 */
export interface Looks {
  /** Judges each case, and goes on after a failure. */
  readonly each: typeof judgeEachCase;
  /** Records the covered elements of a set. */
  cover(set: SetName, elements: readonly string[]): void;
}

/** One check of the evidence that a run collected about a client. */
export interface ClientCheck<Mutant extends string = string> {
  /** `group.what-it-shows`: frozen once published. */
  readonly id: string;
  /** The rule that a pass confirms, as a sentence. */
  readonly title: string;
  /** Clauses of one severity: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The scenarios that the check reads; empty for a check that reads all traffic. */
  readonly scenarios: readonly ScenarioName[];
  /**
   * Scenarios to play on every task of their kinds in further starts, a few at most, while the evidence is inconclusive.
   */
  readonly again?: (evidence: Evidence) => readonly ScenarioName[];
  /** The mutants that the check catches; `npm run mutants` proves each. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
  /**
   * Reports observations as lines.
   * @throws CheckFailure if the client broke a clause, NotTestable if its behaviour shows neither
   */
  judge(evidence: Evidence, looks: Looks): readonly string[];
}
