import type { Parts } from "../../reference-server/parts.ts";

/** The reference server with one named fault, which violates a clause and never an open point. */
export interface Mutant {
  /** What is wrong with it, in words. */
  readonly fault: string;
  readonly mutate: (parts: Parts) => Parts;
}
