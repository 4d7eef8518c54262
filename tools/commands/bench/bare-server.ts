/**
 * The baseline for the reference server: two Fastify routes on SQLite in memory. The routes write and read the same rows as the reference
 * server, without rate limits, tokens or validation.
 */
import { randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import fastify from "fastify";
import { migrate } from "../../../reference-server/database/migrations.ts";
import { openDatabase } from "../../../reference-server/database/open.ts";

/** @param template the fields of a created delivery, except id and reference */
export async function startBareServer(template: object): Promise<{ url: string }> {
  const file = new DatabaseSync(":memory:");
  for (const statement of await tables()) file.exec(statement);
  const integrator = randomUUID();
  file.prepare("insert into ledgers values (?, 0, 0, 0)").run(integrator);
  const nextChange = file.prepare(
    "update ledgers set change_number = change_number + 1, changed_at = ? where integrator_id = ? returning change_number",
  );
  const insertDelivery = inserting(file, "deliveries", 12);
  const insertEvent = inserting(file, "events", 7);
  const insertKey = inserting(file, "idempotency_keys", 5);
  const addCredit = file.prepare("update ledgers set credit = credit + 1 where integrator_id = ?");
  const find = file.prepare("select * from deliveries where id = ? and integrator_id = ?");

  const app = fastify();
  app.post<{ Body: { external_ref: string } }>(
    "/v1/deliveries",
    ({ body: { external_ref }, headers }, reply) => {
      file.exec("begin immediate");
      const [id, now] = [randomUUID(), Date.now()];
      const change = Number(nextChange.get(now, integrator)?.change_number);
      const body = { ...template, id, external_ref };
      const state = ["QUEUED", 1, change, now, now, null];
      insertDelivery(id, integrator, integrator, external_ref, randomUUID(), ...state, JSON.stringify(body));
      for (const type of ["delivery.created", "delivery.queued"]) {
        const event = { id: randomUUID(), type, timestamp: new Date().toISOString(), data: body };
        insertEvent(event.id, integrator, id, type, 1, now, JSON.stringify(event));
      }
      addCredit.run(integrator);
      insertKey(integrator, String(headers["idempotency-key"]), randomUUID(), id, now);
      file.exec("commit");
      reply.code(201).send(body);
    },
  );
  app.get<{ Params: { id: string } }>("/v1/deliveries/:id", ({ params }, reply) => {
    reply.send(JSON.parse(String(find.get(params.id, integrator)?.body)));
  });
  return { url: await app.listen({ port: 0, host: "127.0.0.1" }) };
}

function inserting(file: DatabaseSync, table: string, columns: number): (...values: SQLInputValue[]) => void {
  const statement = file.prepare(`insert into ${table} values (${Array(columns).fill("?").join()})`);
  return (...values) => void statement.run(...values);
}

/** The statements that create the reference server's tables. */
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
