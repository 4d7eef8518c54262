import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { Break } from "../../core/mutation/breaks.ts";

/** Changes the reference server's dependencies. */
export type Mutate = (deps: Dependencies) => Dependencies;

/** The reference server with one fault. */
export interface FaultyServer {
  readonly fault: string;
  /** The wrong value that the server always shows, if the fault is one: a status, or `null`. */
  readonly actual?: string;
  readonly mutate: Mutate;
}

/** A named server with a fault that violates clauses, and no open point. */
export interface Mutant extends FaultyServer {
  /** The clauses that the mutant breaks: all clauses that checks report for the mutant, and no others. */
  readonly breaks: readonly Break[];
}
