import { columns, prepared } from "../database/prepared.ts";
import type { Database, Queryable, Tx } from "../database/schema.ts";
import type { ClockSetting } from "../domain/clock.ts";

/** A frozen clock, and the instance that froze it. */
export interface FrozenClock {
  id: string;
  clock_frozen_at: number;
  clock_moved_by: string | null;
}

export const clockRecords = {
  /**
   * Makes `mover` the instance that advances the integrator's clock, and returns the clock's previous
   * setting. Undefined if another instance is advancing it, or for an unknown integrator. The row lock waits
   * for transactions that have read the clock.
   */
  async acquire(tx: Tx, integratorId: string, mover: string): Promise<ClockSetting | undefined> {
    return tx
      .updateTable("integrators")
      .set({ clock_moved_by: mover })
      .where("id", "=", integratorId)
      .where("clock_moved_by", "is", null)
      .returning(["clock_offset_ms", "clock_frozen_at"])
      .executeTakeFirst();
  },

  /** Freezes the clock that this instance advances. Throws if another instance has taken it over. */
  async freeze(db: Queryable, integratorId: string, mover: string, at: number): Promise<void> {
    const result = await freezeClock(db, { integratorId, mover, at });
    if (result.numAffectedRows !== 1n) throw new Error("another instance is advancing this clock");
  },

  /**
   * Lets the clock run again, `offsetMs` ahead of real time, and records the advance. Returns false and
   * changes nothing if another instance has taken over the clock.
   */
  async release(tx: Tx, integratorId: string, mover: string | null, offsetMs: number): Promise<boolean> {
    const result = await releaseClock(tx, { integratorId, mover, offsetMs });
    if (result.numAffectedRows !== 1n) return false;
    const [counter] = (await countAdvance(tx, {})).rows;
    if (counter === undefined) throw new Error("the database has no counter of clock advances");
    await insertAdvance(tx, { id: counter.value, integrator_id: integratorId, offset_after: offsetMs });
    return true;
  },

  async frozen(db: Database): Promise<FrozenClock[]> {
    return (await frozen(db, {})).rows;
  },

  /** The id of the latest advance of any clock; 0 before the first. */
  async lastAdvance(db: Queryable): Promise<number> {
    return (await latestAdvance(db, {})).rows[0]?.id ?? 0;
  },

  /** The integrator's clock offset right after `advance`, which may be an advance of another integrator's clock. */
  async offsetAfter(db: Queryable, integratorId: string, advance: number): Promise<number> {
    return (await latestOffset(db, { integratorId, advance })).rows[0]?.offset_after ?? 0;
  },
};

const freezeClock = prepared<{ integratorId: string; mover: string; at: number }>()((db, p) =>
  db
    .updateTable("integrators")
    .set({ clock_frozen_at: p.at })
    .where("id", "=", p.integratorId)
    .where("clock_moved_by", "=", p.mover),
);

const releaseClock = prepared<{ integratorId: string; mover: string | null; offsetMs: number }>()((db, p) =>
  db
    .updateTable("integrators")
    .set({ clock_frozen_at: null, clock_moved_by: null, clock_offset_ms: p.offsetMs })
    .where("id", "=", p.integratorId)
    .where("clock_moved_by", "is not distinct from", p.mover),
);

const countAdvance = prepared<Record<never, never>>()((db) =>
  db
    .updateTable("counters")
    .set((eb) => ({ value: eb("value", "+", 1) }))
    .where("name", "=", "clock_advances")
    .returning("value"),
);

const insertAdvance = prepared<{ id: number; integrator_id: string; offset_after: number }>()((db, p) =>
  db.insertInto("clock_advances").values(columns(p, "id", "integrator_id", "offset_after")),
);

const latestAdvance = prepared<Record<never, never>>()((db) =>
  db.selectFrom("clock_advances").select((eb) => eb.fn.max("id").as("id")),
);

const latestOffset = prepared<{ integratorId: string; advance: number }>()((db, p) =>
  db
    .selectFrom("clock_advances")
    .select("offset_after")
    .where("integrator_id", "=", p.integratorId)
    .where("id", "<=", p.advance)
    .orderBy("id", "desc")
    .limit(1),
);

const frozen = prepared<Record<never, never>>()((db) =>
  db
    .selectFrom("integrators")
    .select(["id", "clock_frozen_at", "clock_moved_by"])
    .where("clock_frozen_at", "is not", null)
    .$narrowType<{ clock_frozen_at: number }>(),
);
