import { sql } from "kysely";
import { columns, prepared } from "../database/prepared.ts";
import type { DeliveryTable, Queryable, Tx } from "../database/schema.ts";
import { type Delivery, type DeliveryBody, type Status, statuses } from "../domain/model.ts";
import type { ListPosition } from "../domain/paging/cursor.ts";

/** The stored sizes of deliveries. */
const keptSizes = new WeakMap<Delivery, number>();

/** The approximate size of a delivery in a response, in bytes. */
export const keptSize = (delivery: Delivery): number => keptSizes.get(delivery) ?? 0;

/** Rows contain valid JSON, because only this file writes them. */
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
  if (status === undefined) throw new Error(`unknown delivery status ${text}`);
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

/** The filters of a list page. `rows` is the number of rows to read. Times are in ms. */
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
  /** Returns false and writes nothing if the store already has this external_ref. */
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

  /** Any integrator's delivery; not for requests of integrators. */
  async findById(db: Queryable, id: string): Promise<Delivery | undefined> {
    const row = (await findDeliveryById(db, { id })).rows[0];
    return row && fromRow(row);
  },

  /** Any integrator's delivery, by the customer's tracking key. */
  async findByTrackingKey(db: Queryable, key: string): Promise<Delivery | undefined> {
    const row = (await findTracked(db, { key })).rows[0];
    return row && fromRow(row);
  },

  /** The integrator's delivery with this reference in the store. */
  async findByRef(
    db: Queryable,
    integratorId: string,
    storeId: string,
    externalRef: string,
  ): Promise<Delivery | undefined> {
    const row = (await findDeliveryByRef(db, { integratorId, storeId, externalRef })).rows[0];
    return row && fromRow(row);
  },

  /** The integrator's deliveries in the order of their latest change, after a position. */
  async page(db: Queryable, integratorId: string, query: DeliveryQuery): Promise<Delivery[]> {
    const wanted = query.statuses && statuses.filter((status) => query.statuses?.includes(status));
    const [first, ...others] = wanted ?? [undefined];
    if (wanted !== undefined && first === undefined) return [];
    if (others.length === 0) return (await inOrder(db, integratorId, query, first).execute()).map(fromRow);
    // One query per status: each reads an index by status and order of change, so rare statuses are fast.
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
 * Deliveries in the order of updated_at and change_number, which is the commit order, so a page after a
 * position misses nothing. For a search by external_ref, `+ 0` keeps the database from scanning the whole
 * index in this order.
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

const findTracked = prepared<{ key: string }>()((db, p) =>
  db.selectFrom("deliveries").selectAll().where("tracking_key", "=", p.key),
);

const findDeliveryByRef = prepared<{ integratorId: string; storeId: string; externalRef: string }>()(
  (db, p) =>
    db
      .selectFrom("deliveries")
      .selectAll()
      .where("integrator_id", "=", p.integratorId)
      .where("external_ref", "=", p.externalRef)
      .where("store_id", "=", p.storeId),
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
