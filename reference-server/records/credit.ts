import { prepared } from "../database/prepared.ts";
import type { Queryable, Tx } from "../database/schema.ts";

export const creditRecords = {
  /** A negative `amount` is a refund. */
  async add(tx: Tx, integratorId: string, amount: number): Promise<void> {
    await addAmount(tx, { integratorId, amount });
  },

  async read(db: Queryable, integratorId: string): Promise<number> {
    const row = await db
      .selectFrom("ledgers")
      .select("credit")
      .where("integrator_id", "=", integratorId)
      .executeTakeFirstOrThrow();
    return row.credit;
  },
};

const addAmount = prepared<{ integratorId: string; amount: number }>()((db, p) =>
  db
    .updateTable("ledgers")
    .set((eb) => ({ credit: eb("credit", "+", p.amount) }))
    .where("integrator_id", "=", p.integratorId),
);
