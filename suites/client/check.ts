import type { ClauseId } from "../../openapi/generated/clauses.ts";
import type { SetName } from "../core/contract/element-sets.ts";
import type { judgeEach } from "../core/grading/each-element.ts";
import type { Evidence } from "./session/evidence.ts";
import type { ScenarioName } from "./session/scenarios.ts";

/** How a check goes through several of what was seen, so that the report tells where it failed, where it held and what it came to. */
export interface Looks {
  /** Judges each of several, also after one has failed. */
  readonly each: typeof judgeEach;
  /** Says which elements of a set it has come to. */
  cover(set: SetName, elements: readonly string[]): void;
}

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
  /** A scenario to play on all orders of another start, a few times at most, while the evidence decides nothing. */
  readonly again?: (evidence: Evidence) => ScenarioName | undefined;
  /** The faults that it catches; each is shown to by `npm run mutants`. */
  readonly mutants: readonly [Mutant, ...Mutant[]];
  /**
   * Says what was seen, in lines.
   * @throws CheckFailure where the client broke a clause, NotTestable where it did nothing that shows either
   */
  judge(evidence: Evidence, looks: Looks): readonly string[];
}
