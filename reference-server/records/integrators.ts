import { prepared } from "../database/prepared.ts";
import type { Database, IntegratorTable, Queryable, Tx } from "../database/schema.ts";

/** An integrator without its secret. */
export type Integrator = Omit<IntegratorTable, "secret_hash">;

const clock = ["clock_offset_ms", "clock_frozen_at", "clock_moved_by"] as const;
const columns = ["id", "client_id", "kind", "closed_at", "trusts_receivers", "created_at", ...clock] as const;

export const integratorRecords = {
  /** Creates the integrator and its row in `ledgers`, which numbers its changes and counts its credit. */
  async insert(tx: Tx, row: IntegratorTable): Promise<void> {
    await tx.insertInto("integrators").values(row).execute();
    await tx
      .insertInto("ledgers")
      .values({ integrator_id: row.id, change_number: 0, changed_at: 0, credit: 0 })
      .execute();
  },

  async findById(db: Queryable, id: string): Promise<Integrator | undefined> {
    return (await findIntegrator(db, { id })).rows[0];
  },

  /** Includes the secret's hash, for the token operation. */
  async findByClientId(
    db: Queryable,
    clientId: string,
  ): Promise<(Integrator & { secret_hash: string }) | undefined> {
    return (await findByClientId(db, { clientId })).rows[0];
  },

  /** Replaces the secret; the old secret becomes invalid. */
  async setSecret(tx: Tx, id: string, secretHash: string): Promise<void> {
    await tx.updateTable("integrators").set({ secret_hash: secretHash }).where("id", "=", id).execute();
  },

  /** Closing twice keeps the first time. */
  async close(db: Database, id: string, at: number): Promise<void> {
    await db
      .updateTable("integrators")
      .set({ closed_at: at })
      .where("id", "=", id)
      .where("closed_at", "is", null)
      .execute();
  },
};

const findByClientId = prepared<{ clientId: string }>()((db, p) =>
  db
    .selectFrom("integrators")
    .select([...columns, "secret_hash"])
    .where("client_id", "=", p.clientId),
);

const findIntegrator = prepared<{ id: string }>()((db, p) =>
  db.selectFrom("integrators").select(columns).where("id", "=", p.id),
);
