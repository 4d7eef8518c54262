import { sql } from "kysely";
import { prepared } from "../database/prepared.ts";
import type { Database, Queryable } from "../database/schema.ts";

/** The next delivery with a timed change. */
export interface DueDelivery {
  id: string;
  due_at: number;
}

export const dueDeliveryRecords = {
  /** The integrator's delivery with the earliest timed change. */
  async first(db: Queryable, integratorId: string): Promise<DueDelivery | undefined> {
    const row = (await firstOf(db, { integratorId })).rows[0];
    return row === undefined || row.due_at === null ? undefined : { id: row.id, due_at: row.due_at };
  },

  /**
   * The integrator whose delivery has the earliest timed change, and the real time of that change. Frozen clocks are left to the
   * instance that froze them. Needs one index lookup per integrator, however many deliveries are waiting.
   */
  async firstOfAll(db: Database): Promise<{ integrator_id: string; real_due_at: number } | undefined> {
    const query = sql<{ integrator_id: string; real_due_at: number }>`
      select integrator_id, real_due_at from (
        select i.id as integrator_id,
          (select min(d.due_at) from deliveries d where d.integrator_id = i.id and d.due_at is not null)
            - i.clock_offset_ms as real_due_at
        from integrators i where i.clock_frozen_at is null) as due
      where real_due_at is not null order by real_due_at limit 1`;
    return (await query.execute(db)).rows[0];
  },
};

const firstOf = prepared<{ integratorId: string }>()((db, p) =>
  db
    .selectFrom("deliveries")
    .select(["id", "due_at"])
    .where("integrator_id", "=", p.integratorId)
    .where("due_at", "is not", null)
    .orderBy("due_at")
    .limit(1),
);
