import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { Break } from "../../core/mutation/breaks.ts";
import type { Catchable } from "../../core/mutation/catching.ts";

/** Changes the reference server's dependencies. */
export type Mutate = (deps: Dependencies) => Dependencies;

/** The reference server with one fault. */
export interface FaultyServer {
  readonly fault: string;
  /**
   * The beginning of the wrong value that the server always shows, if the fault is one: a status, `null`, `[` of a list, or
   * `undefined` for none.
   */
  readonly actual?: string;
  readonly mutate: Mutate;
}

/** A named server with a fault that violates clauses, and no open point. */
export interface Mutant extends FaultyServer, Catchable {
  readonly breaks: readonly Break[];
}

/** Mutants by their ids. */
export type Mutants = Readonly<Record<string, Mutant>>;
