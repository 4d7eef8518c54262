import type { TaskKind } from "../task-kind.ts";
import type { Fault } from "./fault.ts";

/** The faults that the sandbox injects into one task of the client. */
export interface Scenario {
  readonly name: string;
  /** The description for the person who runs the client. */
  readonly title: string;
  /** The kind of task, from its first try on. A page is requested with a cursor; a token is a start's first. */
  readonly target: TaskKind;
  /** The faults of the first, second, third … try. Later tries pass through. */
  readonly steps: readonly Fault[];
  /** The phase: transient failures come first, final refusals later. */
  readonly phase: 1 | 2 | 3;
  /** True if a conforming client may exit. The scenario then gets its own start. */
  readonly ends?: boolean;
}

/** Scenarios by name. */
export type Scenarios = Readonly<Record<string, Omit<Scenario, "name">>>;
