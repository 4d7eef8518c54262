import { prepared } from "../database/prepared.ts";
import type { Queryable, Tx } from "../database/schema.ts";

/** The number and time of a change. */
export interface Stamp {
  change_number: number;
  at: number;
}

export const ledgerRecords = {
  /**
   * Takes the integrator's ledger row until the transaction ends and gives the next change its number and time.
   *
   * Whoever comes second waits here, so changes are numbered in the order in which they commit, and time never goes
   * back from one to the next: what a list cursor has passed stays passed.
   */
  async take(tx: Tx, integratorId: string, now: number): Promise<Stamp> {
    const row = (await takeRow(tx, { integratorId, now })).rows[0];
    if (row === undefined) throw new Error("an integrator has no ledger");
    return { change_number: row.change_number, at: row.changed_at };
  },

  /** Credit (kontör) consumed rises, or falls for a negative `amount`. */
  async addCredit(tx: Tx, integratorId: string, amount: number): Promise<void> {
    await addCredit(tx, { integratorId, amount });
  },

  async readCredit(db: Queryable, integratorId: string): Promise<number> {
    const row = await db
      .selectFrom("ledgers")
      .select("credit")
      .where("integrator_id", "=", integratorId)
      .executeTakeFirstOrThrow();
    return row.credit;
  },
};

const takeRow = prepared<{ integratorId: string; now: number }>()((db, p) =>
  db
    .updateTable("ledgers")
    .set((eb) => ({
      change_number: eb("change_number", "+", 1),
      changed_at: eb.case().when("changed_at", "<", p.now).then(p.now).else(eb.ref("changed_at")).end(),
    }))
    .where("integrator_id", "=", p.integratorId)
    .returning(["change_number", "changed_at"]),
);

const addCredit = prepared<{ integratorId: string; amount: number }>()((db, p) =>
  db
    .updateTable("ledgers")
    .set((eb) => ({ credit: eb("credit", "+", p.amount) }))
    .where("integrator_id", "=", p.integratorId),
);
