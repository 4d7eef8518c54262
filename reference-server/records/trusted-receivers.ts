import type { Database, Queryable, TrustedReceiverTable } from "../database/schema.ts";

export const trustedReceiverRecords = {
  /** Trusting an origin again replaces its CA. */
  async put(db: Database, row: TrustedReceiverTable): Promise<void> {
    await db
      .insertInto("trusted_receivers")
      .values(row)
      .onConflict((oc) => oc.column("origin").doUpdateSet({ ca_pem: row.ca_pem, used_at: row.used_at }))
      .execute();
  },

  /** True if the origin is trusted and was used after `since`. */
  async has(db: Queryable, origin: string, since: number): Promise<boolean> {
    const query = db
      .selectFrom("trusted_receivers")
      .select("origin")
      .where("origin", "=", origin)
      .where("used_at", ">", since);
    return (await query.executeTakeFirst()) !== undefined;
  },

  async use(db: Database, origin: string, at: number): Promise<void> {
    await db.updateTable("trusted_receivers").set({ used_at: at }).where("origin", "=", origin).execute();
  },

  /** Deletes origins that weren't used after `since`. */
  async purge(db: Database, since: number): Promise<void> {
    await db.deleteFrom("trusted_receivers").where("used_at", "<=", since).execute();
  },
};
