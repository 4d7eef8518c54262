import type { Parts } from "../../../reference-server/parts.ts";
import type { Break } from "../../core/mutation/breaks.ts";

/** Makes another server of the reference's parts. */
export type Mutate = (parts: Parts) => Parts;

/** The reference server with one fault. */
export interface FaultyServer {
  /** The fault in words. */
  readonly fault: string;
  readonly mutate: Mutate;
}

/** One whose fault is named, and violates clauses and never an open point. */
export interface Mutant extends FaultyServer {
  /** The clauses that it breaks: all that its checks blame, and no other. */
  readonly breaks: readonly Break[];
}
