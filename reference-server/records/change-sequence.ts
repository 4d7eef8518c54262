import { prepared } from "../database/prepared.ts";
import type { Tx } from "../database/schema.ts";

/** The number and time of a change. */
export interface ChangeStamp {
  change_number: number;
  at: number;
}

export const changeSequenceRecords = {
  /**
   * Locks the integrator's row until the transaction ends, and returns the next change's number and time.
   * Concurrent transactions wait here, so changes are numbered in commit order, and a new change never
   * appears before a list cursor that was already returned.
   */
  async takeNext(tx: Tx, integratorId: string, now: number): Promise<ChangeStamp> {
    const row = (await takeNext(tx, { integratorId, now })).rows[0];
    if (row === undefined) throw new Error("the integrator has no change sequence");
    return { change_number: row.change_number, at: row.changed_at };
  },
};

const takeNext = prepared<{ integratorId: string; now: number }>()((db, p) =>
  db
    .updateTable("ledgers")
    .set((eb) => ({
      change_number: eb("change_number", "+", 1),
      changed_at: eb.case().when("changed_at", "<", p.now).then(p.now).else(eb.ref("changed_at")).end(),
    }))
    .where("integrator_id", "=", p.integratorId)
    .returning(["change_number", "changed_at"]),
);
