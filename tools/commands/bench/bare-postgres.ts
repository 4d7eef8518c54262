/** The bare routes on PostgreSQL: the same SQL in one transaction, by `pg` alone. */
import { randomUUID } from "node:crypto";
import fastify from "fastify";
import { Pool } from "pg";
import { migrate } from "../../../reference-server/database/migrations.ts";
import { openDatabase } from "../../../reference-server/database/open.ts";
import { bareDelivery } from "./bare-delivery.ts";
import type { NewDelivery } from "./order.ts";

/** Serves on a database that is given the reference server's tables, where it hasn't got them. */
export async function startBarePostgres(url: string): Promise<{ url: string }> {
  const { database } = await openDatabase(url);
  await migrate(database);
  await database.destroy();
  const pool = new Pool({ connectionString: url, max: 16 });
  const integrator = randomUUID();
  await pool.query("insert into ledgers values ($1, 0, 0, 0)", [integrator]);

  const app = fastify();
  app.post<{ Body: NewDelivery }>("/v1/deliveries", async (request, reply) => {
    const client = await pool.connect();
    // Named statements are prepared once for each connection.
    const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
    const insert = (table: string, values: unknown[]) =>
      run(table, `insert into ${table} values (${values.map((_, index) => `$${index + 1}`).join()})`, values);
    await client.query("begin");
    const ledger = await run(
      "take",
      "update ledgers set change_number = change_number + 1, changed_at = $1 where integrator_id = $2 returning change_number",
      [Date.now(), integrator],
    );
    const delivery = bareDelivery(request.body, integrator, Number(ledger.rows[0].change_number));
    await insert("deliveries", [...delivery.columns, null, JSON.stringify(delivery.body)]);
    for (const type of ["delivery.created", "delivery.queued"]) {
      const id = randomUUID();
      const event = JSON.stringify({ id, type, timestamp: new Date().toISOString(), data: delivery.body });
      await insert("events", [id, integrator, delivery.id, type, 1, Date.now(), event]);
    }
    await run("credit", "update ledgers set credit = credit + 1 where integrator_id = $1", [integrator]);
    const key = String(request.headers["idempotency-key"]);
    await insert("idempotency_keys", [integrator, key, randomUUID(), delivery.id, Date.now()]);
    await client.query("commit");
    client.release();
    return reply.code(201).send(delivery.body);
  });
  app.get<{ Params: { id: string } }>("/v1/deliveries/:id", async (request) => {
    const text = "select * from deliveries where id = $1 and integrator_id = $2";
    const found = await pool.query({ name: "find", text, values: [request.params.id, integrator] });
    return JSON.parse(found.rows[0].body);
  });
  return { url: await app.listen({ port: 0, host: "127.0.0.1" }) };
}
