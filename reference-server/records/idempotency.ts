import type { IdempotencyTable, Tx } from "../database/schema.ts";

export const idempotencyRecords = {
  async find(
    tx: Tx,
    scope: string,
    key: string,
  ): Promise<Pick<IdempotencyTable, "fingerprint" | "delivery_id"> | undefined> {
    return tx
      .selectFrom("idempotency_keys")
      .select(["fingerprint", "delivery_id"])
      .where("scope", "=", scope)
      .where("key", "=", key)
      .executeTakeFirst();
  },

  async insert(tx: Tx, row: IdempotencyTable): Promise<void> {
    await tx.insertInto("idempotency_keys").values(row).execute();
  },
};
