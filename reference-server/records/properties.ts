import type { Database, PropertyTable } from "../database/schema.ts";

export const propertyRecords = {
  /** Keeps the value unless there is one, and gives the one that is kept. */
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
