/** Instances that share a database, and their messages to each other. */
import type { Tx } from "./schema.ts";

export interface Instances {
  /** Changes with each start of the process. */
  readonly id: string;
  /**
   * Joins the other instances. `onClockMoved` is called when another instance has moved a clock. Throws if
   * this instance can't join.
   */
  join(onClockMoved: (integratorId: string) => void): Promise<void>;
  /** The ids of the running instances. */
  present(): Promise<readonly string[]>;
  /** After the commit, tells the other instances that this integrator's clock has moved. */
  notifyClockMoved(tx: Tx, integratorId: string): Promise<void>;
  leave(): Promise<void>;
}
