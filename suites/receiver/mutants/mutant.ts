import type { ReceiverParts } from "../reference-receiver/parts.ts";

/** A receiver with one fault, which violates a clause and no open point. */
export interface ReceiverMutant {
  /** The fault in words. */
  readonly fault: string;
  readonly mutate: (parts: ReceiverParts) => ReceiverParts;
}

/** Changes some parts of a correct receiver. */
export const alterParts =
  (change: (right: ReceiverParts) => Partial<ReceiverParts>): ReceiverMutant["mutate"] =>
  (parts) => ({ ...parts, ...change(parts) });

/** Lets other pending work run first. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
