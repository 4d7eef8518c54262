import type { Parts } from "../../../reference-server/parts.ts";

/** Makes another server of the reference's parts. */
export type Mutate = (parts: Parts) => Parts;

/** The reference server with one named fault, which violates a clause and never an open point. */
export interface Mutant {
  /** What is wrong with it, in words. */
  readonly fault: string;
  readonly mutate: Mutate;
}
