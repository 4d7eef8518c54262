import type { Database, Queryable, TrustedReceiverTable } from "../database/schema.ts";

export const trustedReceiverRecords = {
  /** Trusting an origin again replaces its CA. */
  async put(db: Database, row: TrustedReceiverTable): Promise<void> {
    await db
      .insertInto("trusted_receivers")
      .values(row)
      .onConflict((oc) => oc.column("origin").doUpdateSet({ ca_pem: row.ca_pem }))
      .execute();
  },

  async has(db: Queryable, origin: string): Promise<boolean> {
    const query = db.selectFrom("trusted_receivers").select("origin").where("origin", "=", origin);
    return (await query.executeTakeFirst()) !== undefined;
  },
};
