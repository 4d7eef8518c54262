import { columns, prepared } from "../database/prepared.ts";
import type { IdempotencyTable, Tx } from "../database/schema.ts";

export const idempotencyRecords = {
  async find(
    tx: Tx,
    scope: string,
    key: string,
  ): Promise<Pick<IdempotencyTable, "fingerprint" | "delivery_id"> | undefined> {
    return (await findKey(tx, { scope, key })).rows[0];
  },

  async insert(tx: Tx, row: IdempotencyTable): Promise<void> {
    await insertKey(tx, row);
  },
};

const findKey = prepared<{ scope: string; key: string }>()((db, p) =>
  db
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "delivery_id"])
    .where("scope", "=", p.scope)
    .where("key", "=", p.key),
);

const insertKey = prepared<IdempotencyTable>()((db, p) =>
  db
    .insertInto("idempotency_keys")
    .values(columns(p, "scope", "key", "fingerprint", "delivery_id", "created_at")),
);
