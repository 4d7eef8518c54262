import { sql } from "kysely";
import { columns, prepared } from "../database/prepared.ts";
import type { DeliveryTable, Queryable, Tx } from "../database/schema.ts";
import { type Delivery, type DeliveryBody, type Status, statuses } from "../domain/model.ts";
import type { ListPosition } from "../domain/paging/cursor.ts";

/** How long the deliveries that were read are as they are kept. */
const keptSizes = new WeakMap<Delivery, number>();

/** About how many bytes a delivery that was read takes in an answer. */
export const keptSize = (delivery: Delivery): number => keptSizes.get(delivery) ?? 0;

/** Rows are written by this file alone, so their JSON is what it put there. */
function fromRow(row: DeliveryTable): Delivery {
  const body: DeliveryBody = JSON.parse(row.body);
  const delivery = {
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
  keptSizes.set(delivery, row.body.length);
  return delivery;
}

function statusOf(text: string): Status {
  const status = statuses.find((known) => known === text);
  if (status === undefined) throw new Error(`a delivery can't be ${text}`);
  return status;
}

function toRow(delivery: Delivery, dueAt: number | null): DeliveryTable {
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
    due_at: dueAt,
    body: JSON.stringify(body satisfies DeliveryBody),
  };
}

/** What a page of the list is narrowed to; `rows` is how many to read. Times in ms. */
export interface DeliveryQuery {
  after?: ListPosition | undefined;
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
  async insert(tx: Tx, delivery: Delivery, dueAt: number | null): Promise<boolean> {
    const result = await insertDelivery(tx, toRow(delivery, dueAt));
    return result.numAffectedRows === 1n;
  },

  async update(tx: Tx, delivery: Delivery, dueAt: number | null): Promise<void> {
    await updateRow(tx, toRow(delivery, dueAt));
  },

  /** The integrator's delivery. */
  async find(db: Queryable, integratorId: string, id: string): Promise<Delivery | undefined> {
    const row = (await findDelivery(db, { integratorId, id })).rows[0];
    return row && fromRow(row);
  },

  /** Anyone's delivery; not for what an integrator asks. */
  async findById(db: Queryable, id: string): Promise<Delivery | undefined> {
    const row = (await findDeliveryById(db, { id })).rows[0];
    return row && fromRow(row);
  },

  /** Anyone's delivery, by what its customer was given. */
  async findByTrackingKey(db: Queryable, key: string): Promise<Delivery | undefined> {
    const row = await db
      .selectFrom("deliveries")
      .selectAll()
      .where("tracking_key", "=", key)
      .executeTakeFirst();
    return row && fromRow(row);
  },

  /** The integrator's delivery that has this reference in the store. */
  async findByRef(
    db: Queryable,
    integratorId: string,
    storeId: string,
    externalRef: string,
  ): Promise<Delivery | undefined> {
    const row = await db
      .selectFrom("deliveries")
      .selectAll()
      .where("integrator_id", "=", integratorId)
      .where("external_ref", "=", externalRef)
      .where("store_id", "=", storeId)
      .executeTakeFirst();
    return row && fromRow(row);
  },

  /** The integrator's deliveries in the order of their latest change, read on from a place that was seen. */
  async page(db: Queryable, integratorId: string, query: DeliveryQuery): Promise<Delivery[]> {
    const wanted = query.statuses && statuses.filter((status) => query.statuses?.includes(status));
    const [first, ...others] = wanted ?? [undefined];
    if (wanted !== undefined && first === undefined) return [];
    if (others.length === 0) return (await inOrder(db, integratorId, query, first).execute()).map(fromRow);
    // Each status has the order of changes in an index of its own; a rare one is found there without passing the rest.
    const selections = [first, ...others].map((status) =>
      db.selectFrom(inOrder(db, integratorId, query, status).as("of_status")).selectAll(),
    );
    const rows = await selections
      .reduce((all, selection) => all.unionAll(selection))
      .orderBy("updated_at")
      .orderBy("change_number")
      .limit(query.rows)
      .execute();
    return rows.map(fromRow);
  },
};

/**
 * Change stamps make (updated_at, change_number) the order of commits, so reading on from a place misses nothing.
 *
 * A reference finds few rows to sort by an index of its own; adding 0 keeps the database from choosing the index of the
 * whole order instead, which it would walk to its end.
 */
function inOrder(db: Queryable, integratorId: string, query: DeliveryQuery, status: Status | undefined) {
  const { after, changed_after, created_from, created_to, external_ref, store_id } = query;
  let select = db
    .selectFrom("deliveries")
    .selectAll()
    .where("integrator_id", "=", integratorId)
    .orderBy(external_ref === undefined ? sql.ref("updated_at") : sql`updated_at + 0`)
    .orderBy("change_number")
    .limit(query.rows);
  if (after !== undefined) {
    select = select.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("updated_at", "change_number"), ">", tuple(after.updated_at, after.change_number)),
    );
  }
  if (status !== undefined) select = select.where("status", "=", status);
  if (changed_after !== undefined) select = select.where("updated_at", ">", changed_after);
  if (created_from !== undefined) select = select.where("created_at", ">=", created_from);
  if (created_to !== undefined) select = select.where("created_at", "<=", created_to);
  if (external_ref !== undefined) select = select.where("external_ref", "=", external_ref);
  if (store_id !== undefined) select = select.where("store_id", "=", store_id);
  return select;
}

const findDelivery = prepared<{ integratorId: string; id: string }>()((db, p) =>
  db.selectFrom("deliveries").selectAll().where("id", "=", p.id).where("integrator_id", "=", p.integratorId),
);

const findDeliveryById = prepared<{ id: string }>()((db, p) =>
  db.selectFrom("deliveries").selectAll().where("id", "=", p.id),
);

const insertDelivery = prepared<DeliveryTable>()((db, p) =>
  db
    .insertInto("deliveries")
    .values({
      ...columns(p, "id", "integrator_id", "store_id", "external_ref", "tracking_key", "status", "version"),
      ...columns(p, "change_number", "created_at", "updated_at", "due_at", "body"),
    })
    .onConflict((oc) => oc.doNothing()),
);

const updateRow = prepared<DeliveryTable>()((db, p) =>
  db
    .updateTable("deliveries")
    .set(columns(p, "status", "version", "change_number", "updated_at", "due_at", "body"))
    .where("id", "=", p.id),
);
