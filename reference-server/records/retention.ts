import { sql } from "kysely";
import { dialectOf } from "../database/dialect.ts";
import type { Tx } from "../database/schema.ts";

/**
 * Deletes up to `rows` old records and returns their number. `before` is real time, to which each
 * integrator's clock offset is added. Skips rows that another instance is deleting.
 */
export const retentionRecords = {
  async deleteKeys(tx: Tx, before: number, rows: number): Promise<number> {
    const old = tx
      .selectFrom("idempotency_keys as k")
      .innerJoin("integrators as i", "i.id", "k.scope")
      .select(["k.scope", "k.key"])
      .where((eb) => eb("k.created_at", "<", eb("i.clock_offset_ms", "+", before)))
      .limit(rows);
    const keys = await dialectOf(tx).skippingTaken(old, "k").execute();
    for (const { scope, key } of keys) {
      await tx.deleteFrom("idempotency_keys").where("scope", "=", scope).where("key", "=", key).execute();
    }
    return keys.length;
  },

  /** Deletes events without pending attempts, and their rows in the outbox. */
  async deleteEvents(tx: Tx, before: number, rows: number): Promise<number> {
    const old = tx
      .selectFrom("events as e")
      .innerJoin("integrators as i", "i.id", "e.integrator_id")
      .select("e.id")
      .where((eb) => eb("e.occurred_at", "<", eb("i.clock_offset_ms", "+", before)))
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom("outbox as o")
              .select("o.event_id")
              .whereRef("o.event_id", "=", "e.id")
              .where("o.state", "=", sql.lit("PENDING")),
          ),
        ),
      )
      .limit(rows);
    const ids = (await dialectOf(tx).skippingTaken(old, "e").execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.deleteFrom("attempts").where("event_id", "in", ids).execute();
    await tx.deleteFrom("outbox").where("event_id", "in", ids).execute();
    await tx.deleteFrom("events").where("id", "in", ids).execute();
    return ids.length;
  },
};
