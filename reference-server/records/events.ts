import { columns, prepared } from "../database/prepared.ts";
import type { EventTable, Tx } from "../database/schema.ts";

export const eventRecords = {
  async insert(tx: Tx, row: EventTable): Promise<void> {
    await insertEvent(tx, row);
  },
};

const insertEvent = prepared<EventTable>()((db, p) =>
  db
    .insertInto("events")
    .values(columns(p, "id", "integrator_id", "delivery_id", "type", "version", "occurred_at", "data")),
);
