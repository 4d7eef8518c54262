import type { TaskKind } from "../task-kind.ts";
import type { Fault } from "./fault.ts";

/** The faults that one task of the client gets. */
export interface Scenario {
  readonly name: string;
  /** The description for the operator. */
  readonly title: string;
  /** The kind of task. A page is a list request with a cursor, and a token is the first token of a start. */
  readonly target: TaskKind;
  /** The faults of the task's attempts in order. Later attempts get the service's responses. */
  readonly steps: readonly Fault[];
  /** The phase: 1 for transient failures, up to 3 for final refusals. */
  readonly phase: 1 | 2 | 3;
  /**
   * True for the scenario with the longest waits. A second instance of the client may start for this scenario.
   */
  readonly isLong?: boolean;
  /** True if a conforming client may exit after the scenario. The scenario then has a start of its own. */
  readonly mayExit?: boolean;
}

export type Scenarios = Readonly<Record<string, Omit<Scenario, "name">>>;
