import type { PairingCodeTable, Queryable, RestaurantTable, Tx } from "../database/schema.ts";

/** A pairing code with its restaurant. */
export interface PairingCode extends PairingCodeTable {
  bound_to: string | null;
}

export const pairingRecords = {
  async insertCode(tx: Tx, row: PairingCodeTable): Promise<void> {
    await tx.insertInto("pairing_codes").values(row).execute();
  },

  async findCode(tx: Tx, codeHash: string): Promise<PairingCode | undefined> {
    return tx
      .selectFrom("pairing_codes as p")
      .innerJoin("restaurants as r", "r.id", "p.restaurant_id")
      .selectAll("p")
      .select("r.integrator_id as bound_to")
      .where("p.code_hash", "=", codeHash)
      .executeTakeFirst();
  },

  /** Marks a code as used. Returns false if another request used the code first. */
  async useCode(tx: Tx, codeHash: string, at: number): Promise<boolean> {
    const result = await tx
      .updateTable("pairing_codes")
      .set({ used_at: at })
      .where("code_hash", "=", codeHash)
      .where("used_at", "is", null)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  },

  /** Binds the restaurant. Returns false if it belongs to another integrator. */
  async bindRestaurant(tx: Tx, restaurantId: string, integratorId: string): Promise<boolean> {
    const result = await tx
      .updateTable("restaurants")
      .set({ integrator_id: integratorId })
      .where("id", "=", restaurantId)
      .where((eb) => eb.or([eb("integrator_id", "is", null), eb("integrator_id", "=", integratorId)]))
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  },

  /** The company of this name, created with the given id if it doesn't exist. */
  async companyNamed(tx: Tx, name: string, newId: string): Promise<{ id: string; name: string }> {
    await tx
      .insertInto("companies")
      .values({ id: newId, name })
      .onConflict((oc) => oc.column("name").doNothing())
      .execute();
    return tx.selectFrom("companies").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
  },

  /** The restaurant of this name, created if it doesn't exist; a new restaurant for null. */
  async restaurantNamed(tx: Tx, name: string | null, newId: string): Promise<RestaurantTable> {
    await tx
      .insertInto("restaurants")
      .values({ id: newId, name, integrator_id: null })
      .onConflict((oc) => oc.column("name").doNothing())
      .execute();
    const query = tx.selectFrom("restaurants").selectAll();
    return (
      name === null ? query.where("id", "=", newId) : query.where("name", "=", name)
    ).executeTakeFirstOrThrow();
  },

  async company(db: Queryable, id: string): Promise<{ id: string; name: string }> {
    return db.selectFrom("companies").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  },
};
