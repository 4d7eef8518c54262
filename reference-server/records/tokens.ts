import { columns, prepared } from "../database/prepared.ts";
import type { Queryable, TokenTable } from "../database/schema.ts";
import type { Integrator } from "./integrators.ts";

export interface IssuedToken {
  integrator: Integrator;
  expires_at: number;
}

/** Expired tokens are kept for a while, so that the error is SURESI_DOLDU instead of GECERSIZ. */
const keptMs = 24 * 3_600_000;

export const tokenRecords = {
  /** Stores a token, and deletes the integrator's long expired tokens. `now` is the integrator's time. */
  async insert(db: Queryable, row: TokenTable, now: number): Promise<void> {
    await deleteOld(db, { integratorId: row.integrator_id, before: now - keptMs });
    await insertToken(db, row);
  },

  async find(db: Queryable, hash: string): Promise<IssuedToken | undefined> {
    const row = (await findToken(db, { hash })).rows[0];
    if (row === undefined) return undefined;
    const { expires_at, ...integrator } = row;
    return { expires_at, integrator };
  },
};

const deleteOld = prepared<{ integratorId: string; before: number }>()((db, p) =>
  db.deleteFrom("tokens").where("integrator_id", "=", p.integratorId).where("expires_at", "<", p.before),
);

const insertToken = prepared<TokenTable>()((db, p) =>
  db.insertInto("tokens").values(columns(p, "hash", "integrator_id", "expires_at")),
);

const findToken = prepared<{ hash: string }>()((db, p) =>
  db
    .selectFrom("tokens as t")
    .innerJoin("integrators as i", "i.id", "t.integrator_id")
    .select(["t.expires_at", "i.id", "i.client_id", "i.kind", "i.closed_at"])
    .select([
      "i.clock_offset_ms",
      "i.clock_frozen_at",
      "i.clock_moved_by",
      "i.trusts_receivers",
      "i.created_at",
    ])
    .where("t.hash", "=", p.hash),
);
