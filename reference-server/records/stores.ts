import { columns, prepared } from "../database/prepared.ts";
import type { Queryable, StoreTable, Tx } from "../database/schema.ts";
import type { Store, StoreBody, StoreSettings, StoreStatus } from "../domain/model.ts";

type Row = StoreTable & { company_name: string };

/** Only this file writes rows, so their JSON and status are valid. */
function fromRow(row: Row): Store {
  const body: StoreBody = JSON.parse(row.body);
  const settings: StoreSettings = JSON.parse(row.settings);
  return {
    ...body,
    id: row.id,
    integrator_id: row.integrator_id,
    external_store_id: row.external_store_id,
    restaurant_id: row.restaurant_id,
    company: { id: row.company_id, name: row.company_name },
    status: statusOf(row.status),
    created_at: row.created_at,
    updated_at: row.updated_at,
    settings,
  };
}

function statusOf(text: string): StoreStatus {
  if (text === "ACTIVE" || text === "SUSPENDED" || text === "CLOSED") return text;
  throw new Error(`unknown store status ${text}`);
}

function bodyOf(store: Store): string {
  const { name, phone, address_text, lat, lng } = store;
  const body: StoreBody = { name, phone, address_text, lat, lng };
  return JSON.stringify(body);
}

function selectStores(db: Queryable) {
  return db
    .selectFrom("stores as s")
    .innerJoin("companies as c", "c.id", "s.company_id")
    .selectAll("s")
    .select("c.name as company_name");
}

export const storeRecords = {
  async insert(tx: Tx, store: Store): Promise<void> {
    await insertStore(tx, {
      id: store.id,
      integrator_id: store.integrator_id,
      external_store_id: store.external_store_id,
      restaurant_id: store.restaurant_id,
      company_id: store.company.id,
      status: store.status,
      created_at: store.created_at,
      updated_at: store.updated_at,
      body: bodyOf(store),
      settings: JSON.stringify(store.settings),
    });
  },

  /** Writes the integrator's data. */
  async update(tx: Tx, store: Store): Promise<void> {
    await updateStore(tx, { id: store.id, updated_at: store.updated_at, body: bodyOf(store) });
  },

  /** Writes the courier company's data. */
  async configure(tx: Tx, store: Store): Promise<void> {
    const { id, status, settings } = store;
    await configureStore(tx, { id, status, settings: JSON.stringify(settings) });
  },

  /** The integrator's store by its external id. */
  async find(db: Queryable, integratorId: string, externalStoreId: string): Promise<Store | undefined> {
    const row = (await findStore(db, { integratorId, externalStoreId })).rows[0];
    return row && fromRow(row);
  },

  /** Any integrator's store; not for requests of integrators. */
  async findById(db: Queryable, id: string): Promise<Store | undefined> {
    const row = (await findStoreById(db, { id })).rows[0];
    return row && fromRow(row);
  },

  async list(db: Queryable, integratorId: string): Promise<Store[]> {
    return (await listOf(db, { integratorId })).rows.map(fromRow);
  },
};

const insertStore = prepared<StoreTable>()((db, p) =>
  db.insertInto("stores").values({
    ...columns(p, "id", "integrator_id", "external_store_id", "restaurant_id", "company_id", "status"),
    ...columns(p, "created_at", "updated_at", "body", "settings"),
  }),
);

const updateStore = prepared<Pick<StoreTable, "id" | "updated_at" | "body">>()((db, p) =>
  db
    .updateTable("stores")
    .set(columns(p, "updated_at", "body"))
    .where("id", "=", p.id),
);

const configureStore = prepared<Pick<StoreTable, "id" | "status" | "settings">>()((db, p) =>
  db
    .updateTable("stores")
    .set(columns(p, "status", "settings"))
    .where("id", "=", p.id),
);

const listOf = prepared<{ integratorId: string }>()((db, p) =>
  selectStores(db).where("s.integrator_id", "=", p.integratorId).orderBy("s.created_at").orderBy("s.id"),
);

const findStore = prepared<{ integratorId: string; externalStoreId: string }>()((db, p) =>
  selectStores(db)
    .where("s.integrator_id", "=", p.integratorId)
    .where("s.external_store_id", "=", p.externalStoreId),
);

const findStoreById = prepared<{ id: string }>()((db, p) => selectStores(db).where("s.id", "=", p.id));
