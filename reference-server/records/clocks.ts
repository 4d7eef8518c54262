import type { Database, Queryable, Tx } from "../database/schema.ts";

export const clockRecords = {
  /** Lets the integrator's clock stand at an instant. */
  async freeze(db: Database, integratorId: string, at: number): Promise<void> {
    await db.updateTable("integrators").set({ clock_frozen_at: at }).where("id", "=", integratorId).execute();
  },

  /** Lets it run, `offsetMs` ahead of real time, and remembers the move. */
  async run(tx: Tx, integratorId: string, offsetMs: number): Promise<void> {
    await tx
      .updateTable("integrators")
      .set({ clock_frozen_at: null, clock_offset_ms: offsetMs })
      .where("id", "=", integratorId)
      .execute();
    const id = (await clockRecords.lastAdvance(tx)) + 1;
    await tx
      .insertInto("clock_advances")
      .values({ id, integrator_id: integratorId, offset_after: offsetMs })
      .execute();
  },

  /** Clocks that stand, and where. */
  async standing(db: Database): Promise<{ id: string; clock_frozen_at: number }[]> {
    return db
      .selectFrom("integrators")
      .select(["id", "clock_frozen_at"])
      .where("clock_frozen_at", "is not", null)
      .$narrowType<{ clock_frozen_at: number }>()
      .execute();
  },

  /** The latest move of anyone's clock; 0 before the first. */
  async lastAdvance(db: Queryable): Promise<number> {
    const row = await db
      .selectFrom("clock_advances")
      .select((eb) => eb.fn.max("id").as("id"))
      .executeTakeFirst();
    return row?.id ?? 0;
  },

  /** How far ahead of real time the integrator's clock was just after the move `advance` (anyone's). */
  async offsetAfter(db: Queryable, integratorId: string, advance: number): Promise<number> {
    const row = await db
      .selectFrom("clock_advances")
      .select("offset_after")
      .where("integrator_id", "=", integratorId)
      .where("id", "<=", advance)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row?.offset_after ?? 0;
  },
};
