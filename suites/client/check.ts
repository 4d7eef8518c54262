import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { judgeEachCase } from "../core/grading/expectations/each-element.ts";
import type { Evidence } from "./session/evidence.ts";
import type { ScenarioName } from "./session/scenarios/scenarios.ts";

/** Tests several cases, and records failed and passed cases and covered elements. */
export interface CheckContext {
  readonly each: typeof judgeEachCase;
  /** Records the covered elements of a set. */
  cover(set: SetName, elements: readonly string[]): void;
}

export interface ClientCheck<Mutant extends string = string> {
  /** `group.name`. It doesn't change after publication. */
  readonly id: string;
  /** A sentence that is true if the check passes. */
  readonly title: string;
  /** Clauses of one severity: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The scenarios whose traffic the check judges; empty for a check of all traffic. */
  readonly scenarios: readonly ScenarioName[];
  /** Scenarios to repeat in a few further starts, because the evidence is inconclusive. */
  readonly again?: (evidence: Evidence) => readonly ScenarioName[];
  /** The mutants that the check catches, verified by `npm run mutants`. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
  /**
   * @returns notes for the report
   * @throws CheckFailure if the client violated a clause, NotTestable if the evidence is inconclusive
   */
  judge(evidence: Evidence, context: CheckContext): readonly string[];
}
