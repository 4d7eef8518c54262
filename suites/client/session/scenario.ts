import type { Fault } from "./fault.ts";
import type { TaskKind } from "./task-kind.ts";

/** What the sandbox does to one thing that the client has to get done. */
export interface Scenario {
  readonly name: string;
  /** What the person sees happen, in words. */
  readonly title: string;
  /** What it happens to, from its first try on: a page is one that is asked for with a cursor, a token a start's first. */
  readonly target: TaskKind;
  /** What the first, second, third … try meets; later ones go through. */
  readonly steps: readonly Fault[];
  /** When its turn comes: what heals by trying again is first, what ends in a refusal later. */
  readonly phase: 1 | 2 | 3;
  /** Whether a client may rightly end over it: it has a start of its own then. */
  readonly ends?: boolean;
}

/** Scenarios by their names. */
export type Scenarios = Readonly<Record<string, Omit<Scenario, "name">>>;
