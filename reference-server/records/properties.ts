import type { Database, PropertyTable } from "../database/schema.ts";

export const propertyRecords = {
  /** Stores the value unless one exists, and returns the stored one. */
  async keep(db: Database, name: PropertyTable["name"], value: string): Promise<string> {
    await db
      .insertInto("properties")
      .values({ name, value })
      .onConflict((oc) => oc.doNothing())
      .execute();
    const query = db.selectFrom("properties").select("value").where("name", "=", name);
    return (await query.executeTakeFirstOrThrow()).value;
  },
};
