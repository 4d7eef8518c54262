import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { judgeEachCase } from "../core/grading/expectations/each-element.ts";
import type { Evidence } from "./session/evidence.ts";
import type { ScenarioName } from "./session/scenarios/scenarios.ts";

/** Functions with which a check records cases and covered elements. */
export interface CheckContext {
  readonly each: typeof judgeEachCase;
  /** Marks elements of a set as covered. */
  recordCoverage(set: SetName, elements: readonly string[]): void;
}

export interface ClientCheck {
  /** `group.name`. The id doesn't change after publication. */
  readonly id: string;
  /** A sentence that is true for a client that passes. */
  readonly title: string;
  /** The tested clauses. All are MUST, or all are SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The scenarios whose traffic the check judges. Empty for a check that judges all traffic. */
  readonly scenarios: readonly ScenarioName[];
  /** The scenarios that further starts should repeat, because their evidence is inconclusive. */
  readonly scenariosToRepeat?: (evidence: Evidence) => readonly ScenarioName[];
  /**
   * @returns notes for the report
   * @throws CheckFailure if the client violated a clause; CheckSkipped if the evidence is inconclusive
   */
  judge(evidence: Evidence, context: CheckContext): readonly string[];
}
