/** The instances that serve together on one database: which there are, and what they tell each other. */
import type { Tx } from "./schema.ts";

export interface Instances {
  /** This one, in what it has under way. A process that starts again is another. */
  readonly id: string;
  /** Joins the others; hears of each clock that one of them has moved. Throws where that isn't possible. */
  join(onClockMoved: (integratorId: string) => void): Promise<void>;
  /** Those that are at work now. One that is killed is gone at once. */
  present(): Promise<readonly string[]>;
  /** Tells the others, once the transaction commits, that this integrator's clock was moved. */
  notifyClockMoved(tx: Tx, integratorId: string): Promise<void>;
  leave(): Promise<void>;
}
