import type { DeliveryTable, Queryable, Tx } from "../database/schema.ts";
import type { Place } from "../domain/cursor.ts";
import { type Delivery, type DeliveryBody, type Status, statuses } from "../domain/model.ts";

/** Rows are written by this file alone, so their JSON is what it put there. */
function fromRow(row: DeliveryTable): Delivery {
  const body: DeliveryBody = JSON.parse(row.body);
  return {
    ...body,
    id: row.id,
    integrator_id: row.integrator_id,
    store_id: row.store_id,
    external_ref: row.external_ref,
    tracking_key: row.tracking_key,
    status: statusOf(row.status),
    version: row.version,
    change_number: row.change_number,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function statusOf(text: string): Status {
  const status = statuses.find((known) => known === text);
  if (status === undefined) throw new Error(`a delivery can't be ${text}`);
  return status;
}

function toRow(delivery: Delivery): DeliveryTable {
  const { id, integrator_id, store_id, external_ref, tracking_key, status, version, change_number, ...rest } =
    delivery;
  const { created_at, updated_at, ...body } = rest;
  return {
    id,
    integrator_id,
    store_id,
    external_ref,
    tracking_key,
    status,
    version,
    change_number,
    created_at,
    updated_at,
    body: JSON.stringify(body satisfies DeliveryBody),
  };
}

/** What a page of the list is narrowed to; `rows` is how many to read. Times in ms. */
export interface DeliveryQuery {
  after?: Place | undefined;
  statuses?: readonly string[] | undefined;
  changed_after?: number | undefined;
  created_from?: number | undefined;
  created_to?: number | undefined;
  external_ref?: string | undefined;
  store_id?: string | undefined;
  rows: number;
}

export const deliveryRecords = {
  /** False, and nothing written, where the store has this external_ref already. */
  async insert(tx: Tx, delivery: Delivery): Promise<boolean> {
    const result = await tx
      .insertInto("deliveries")
      .values(toRow(delivery))
      .onConflict((oc) => oc.columns(["external_ref", "store_id"]).doNothing())
      .executeTakeFirst();
    return result.numInsertedOrUpdatedRows === 1n;
  },

  async update(tx: Tx, delivery: Delivery): Promise<void> {
    const { status, version, change_number, updated_at, body } = toRow(delivery);
    await tx
      .updateTable("deliveries")
      .set({ status, version, change_number, updated_at, body })
      .where("id", "=", delivery.id)
      .execute();
  },

  /** The integrator's delivery. */
  async find(db: Queryable, integratorId: string, id: string): Promise<Delivery | undefined> {
    const row = await db
      .selectFrom("deliveries")
      .selectAll()
      .where("id", "=", id)
      .where("integrator_id", "=", integratorId)
      .executeTakeFirst();
    return row && fromRow(row);
  },

  /** Anyone's delivery; not for what an integrator asks. */
  async findById(db: Queryable, id: string): Promise<Delivery | undefined> {
    const row = await db.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirst();
    return row && fromRow(row);
  },

  async findByRef(db: Queryable, storeId: string, externalRef: string): Promise<Delivery | undefined> {
    const row = await db
      .selectFrom("deliveries")
      .selectAll()
      .where("external_ref", "=", externalRef)
      .where("store_id", "=", storeId)
      .executeTakeFirst();
    return row && fromRow(row);
  },

  /**
   * The integrator's deliveries in the order of their latest change.
   *
   * Ledger stamps make (updated_at, change_number) the order of commits, so reading on from a place misses nothing.
   * A single status or store is read from an index of its own; several statuses are picked out of the whole order.
   */
  async page(db: Queryable, integratorId: string, query: DeliveryQuery): Promise<Delivery[]> {
    let select = db
      .selectFrom("deliveries")
      .selectAll()
      .where("integrator_id", "=", integratorId)
      .orderBy("updated_at")
      .orderBy("change_number")
      .limit(query.rows);
    const { after, statuses: wanted, changed_after, created_from, created_to } = query;
    if (after !== undefined) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("updated_at", "change_number"), ">", tuple(after.updated_at, after.change_number)),
      );
    }
    if (wanted !== undefined) select = select.where("status", "in", wanted);
    if (changed_after !== undefined) select = select.where("updated_at", ">", changed_after);
    if (created_from !== undefined) select = select.where("created_at", ">=", created_from);
    if (created_to !== undefined) select = select.where("created_at", "<=", created_to);
    if (query.external_ref !== undefined) select = select.where("external_ref", "=", query.external_ref);
    if (query.store_id !== undefined) select = select.where("store_id", "=", query.store_id);
    return (await select.execute()).map(fromRow);
  },
};
