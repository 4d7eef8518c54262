import type { EventTable, Tx } from "../database/schema.ts";

export const eventRecords = {
  async insert(tx: Tx, row: EventTable): Promise<void> {
    await tx.insertInto("events").values(row).execute();
  },
};
