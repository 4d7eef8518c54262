import { sql } from "kysely";
import { columns, prepared } from "../database/prepared.ts";
import type { EventTable, Tx } from "../database/schema.ts";
import { positionKind } from "../domain/model.ts";

export const eventRecords = {
  async insert(tx: Tx, row: EventTable): Promise<void> {
    await insertEvent(tx, row);
  },

  /** The time of the last reported position; undefined for none. */
  async lastPosition(tx: Tx, deliveryId: string): Promise<number | undefined> {
    return (await lastPosition(tx, { deliveryId })).rows[0]?.occurred_at;
  },
};

const insertEvent = prepared<EventTable>()((db, p) =>
  db
    .insertInto("events")
    .values(columns(p, "id", "integrator_id", "delivery_id", "type", "version", "occurred_at", "body")),
);

const lastPosition = prepared<{ deliveryId: string }>()((db, p) =>
  db
    .selectFrom("events")
    .select("occurred_at")
    .where("delivery_id", "=", p.deliveryId)
    .where("type", "=", sql.lit(positionKind))
    .orderBy("occurred_at", "desc")
    .limit(1),
);
