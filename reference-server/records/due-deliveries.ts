import { sql } from "kysely";
import { prepared } from "../database/prepared.ts";
import type { Database, Queryable } from "../database/schema.ts";

/** What time changes next. */
export interface DueDelivery {
  id: string;
  due_at: number;
}

export const dueDeliveryRecords = {
  /** Of the integrator's deliveries the one that time changes first. */
  async first(db: Queryable, integratorId: string): Promise<DueDelivery | undefined> {
    const row = (await firstOf(db, { integratorId })).rows[0];
    return row === undefined || row.due_at === null ? undefined : { id: row.id, due_at: row.due_at };
  },

  /**
   * Whose delivery time changes first of all, and when in real time. Clocks that stand are left to whoever made them
   * stand. It takes one look into the index for each integrator, however many deliveries are waiting.
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
