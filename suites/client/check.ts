import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { Evidence } from "./session/evidence.ts";
import type { ScenarioName } from "./session/scenarios.ts";

/** One question that is put to what a run saw of a client. */
export interface ClientCheck<Mutant extends string = string> {
  /** `group.what-it-shows`: frozen once published. */
  readonly id: string;
  /** What holds when it passes, as a sentence. */
  readonly title: string;
  /** All of one severity: MUST or SHOULD. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** The scenarios that it looks at; none for one that looks at all traffic. */
  readonly scenarios: readonly ScenarioName[];
  /** A scenario that is played on all orders of another start, a few times at most, where what was seen decides nothing. */
  readonly again?: { readonly scenario: ScenarioName; readonly isOfUse: (evidence: Evidence) => boolean };
  /** The faults that it catches; each is shown to by `npm run mutants`. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
  /**
   * Says what was seen, in lines.
   * @throws CheckFailure where the client broke a clause, NotTestable where it did nothing that shows either
   */
  judge(evidence: Evidence): readonly string[];
}
