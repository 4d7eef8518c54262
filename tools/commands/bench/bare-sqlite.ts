/**
 * The baseline for the reference server: Fastify with two routes only, which write the same rows in one transaction,
 * and read the same row. It has no limits, tokens or checks.
 */
import { randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import fastify from "fastify";
import { migrate } from "../../../reference-server/database/migrations.ts";
import { openDatabase } from "../../../reference-server/database/open.ts";
import { type BareDelivery, bareDelivery } from "./bare-delivery.ts";
import type { NewDelivery } from "./order.ts";

/** Serves on a database file with the reference server's tables and indices, or in memory. */
export async function startBareSqlite(location: string): Promise<{ url: string }> {
  const file = new DatabaseSync(location);
  if (location !== ":memory:") file.exec("pragma journal_mode = wal; pragma synchronous = full");
  for (const statement of await tables()) file.exec(statement);
  const integrator = randomUUID();
  file.prepare("insert into ledgers values (?, 0, 0, 0)").run(integrator);
  const takeLedger = file.prepare(
    "update ledgers set change_number = change_number + 1, changed_at = ? where integrator_id = ? returning change_number",
  );
  const insertDelivery = inserting(file, "deliveries", 12);
  const insertEvent = inserting(file, "events", 7);
  const insertKey = inserting(file, "idempotency_keys", 5);
  const addCredit = file.prepare("update ledgers set credit = credit + 1 where integrator_id = ?");
  const find = file.prepare("select * from deliveries where id = ? and integrator_id = ?");

  const app = fastify();
  app.post<{ Body: NewDelivery }>("/v1/deliveries", (request, reply) => {
    file.exec("begin immediate");
    const change = Number(takeLedger.get(Date.now(), integrator)?.change_number);
    const delivery: BareDelivery = bareDelivery(request.body, integrator, change);
    const body = JSON.stringify(delivery.body);
    insertDelivery(...delivery.columns, null, body);
    for (const type of ["delivery.created", "delivery.queued"]) {
      const id = randomUUID();
      const event = JSON.stringify({ id, type, timestamp: new Date().toISOString(), data: delivery.body });
      insertEvent(id, integrator, delivery.id, type, 1, Date.now(), event);
    }
    addCredit.run(integrator);
    insertKey(integrator, String(request.headers["idempotency-key"]), randomUUID(), delivery.id, Date.now());
    file.exec("commit");
    reply.code(201).send(delivery.body);
  });
  app.get<{ Params: { id: string } }>("/v1/deliveries/:id", (request, reply) => {
    const row = find.get(request.params.id, integrator);
    reply.send(JSON.parse(String(row?.body)));
  });
  return { url: await app.listen({ port: 0, host: "127.0.0.1" }) };
}

function inserting(file: DatabaseSync, table: string, columns: number): (...values: SQLInputValue[]) => void {
  const statement = file.prepare(`insert into ${table} values (${Array(columns).fill("?").join()})`);
  return (...values) => void statement.run(...values);
}

/** The statements that make the reference server's tables, as a database that has them tells them. */
async function tables(): Promise<string[]> {
  const { database } = await openDatabase(":memory:");
  await migrate(database);
  const rows = await database
    .withTables<{ sqlite_master: { sql: string | null; name: string } }>()
    .selectFrom("sqlite_master")
    .select(["sql", "name"])
    .execute();
  await database.destroy();
  return rows.flatMap(({ sql, name }) => (sql === null || name.startsWith("sqlite_") ? [] : [sql]));
}
