import type { TaskKind } from "../task-kind.ts";
import type { Fault } from "./fault.ts";

/** The faults of one task of the client. */
export interface Scenario {
  readonly name: string;
  /** The description for the operator. */
  readonly title: string;
  /** The kind of task. A page is a list request with a cursor; a token is a start's first one. */
  readonly target: TaskKind;
  /** The faults of the attempts in order. Later attempts pass through. */
  readonly steps: readonly Fault[];
  /** The phase: transient failures come first, final refusals later. */
  readonly phase: 1 | 2 | 3;
  /** True for the scenario with the longest waits, for which a second instance of the client may start. */
  readonly isLong?: boolean;
  /** True if a conforming client may exit. The scenario gets its own start then. */
  readonly mayExit?: boolean;
}

export type Scenarios = Readonly<Record<string, Omit<Scenario, "name">>>;
