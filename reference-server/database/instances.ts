/** Instances that share a database, and their messages to each other. */
import type { Tx } from "./schema.ts";

export interface Instances {
  /** Changes with each start of the process. */
  readonly id: string;
  /** Joins the other instances, and calls back when one of them has moved a clock. Throws if that fails. */
  join(onClockMoved: (integratorId: string) => void): Promise<void>;
  /** The running instances. A killed instance is missing immediately. */
  present(): Promise<readonly string[]>;
  /** Notifies the others after the commit that this integrator's clock has moved. */
  notifyClockMoved(tx: Tx, integratorId: string): Promise<void>;
  leave(): Promise<void>;
}
