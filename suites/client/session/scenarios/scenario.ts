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
  /** True if its waits last longer than all others', so that a start of its own may play it beside the rest. */
  readonly isLong?: boolean;
  /** True if a conforming client may exit. The scenario gets its own start then. */
  readonly ends?: boolean;
}

export type Scenarios = Readonly<Record<string, Omit<Scenario, "name">>>;
