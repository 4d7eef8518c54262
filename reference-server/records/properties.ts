import type { Database, PropertyTable } from "../database/schema.ts";

export const propertyRecords = {
  /** Stores the value unless the property has a value. Returns the stored value. */
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
