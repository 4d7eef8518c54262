import { columns, prepared } from "../database/prepared.ts";
import type { PairingCodeTable, Queryable, RestaurantTable, Tx } from "../database/schema.ts";

/** A pairing code with its restaurant. */
export interface PairingCode extends PairingCodeTable {
  bound_to: string | null;
}

export const pairingRecords = {
  async insertCode(tx: Tx, row: PairingCodeTable): Promise<void> {
    await insertCode(tx, row);
  },

  async findCode(tx: Tx, codeHash: string): Promise<PairingCode | undefined> {
    return (await findCode(tx, { codeHash })).rows[0];
  },

  /** Marks a code as used. Returns false if another request used the code first. */
  async useCode(tx: Tx, codeHash: string, at: number): Promise<boolean> {
    return (await useCode(tx, { codeHash, at })).numAffectedRows === 1n;
  },

  /** Binds the restaurant. Returns false if it belongs to another integrator. */
  async bindRestaurant(tx: Tx, restaurantId: string, integratorId: string): Promise<boolean> {
    return (await bindRestaurant(tx, { restaurantId, integratorId })).numAffectedRows === 1n;
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

const insertCode = prepared<PairingCodeTable>()((db, p) =>
  db.insertInto("pairing_codes").values({
    ...columns(p, "code_hash", "company_id", "restaurant_id"),
    ...columns(p, "issued_at", "advances_seen", "expires_in_ms", "used_at"),
  }),
);

const findCode = prepared<{ codeHash: string }>()((db, p) =>
  db
    .selectFrom("pairing_codes as p")
    .innerJoin("restaurants as r", "r.id", "p.restaurant_id")
    .selectAll("p")
    .select("r.integrator_id as bound_to")
    .where("p.code_hash", "=", p.codeHash),
);

const useCode = prepared<{ codeHash: string; at: number }>()((db, p) =>
  db
    .updateTable("pairing_codes")
    .set({ used_at: p.at })
    .where("code_hash", "=", p.codeHash)
    .where("used_at", "is", null),
);

const bindRestaurant = prepared<{ restaurantId: string; integratorId: string }>()((db, p) =>
  db
    .updateTable("restaurants")
    .set({ integrator_id: p.integratorId })
    .where("id", "=", p.restaurantId)
    .where((eb) => eb.or([eb("integrator_id", "is", null), eb("integrator_id", "=", p.integratorId)])),
);
