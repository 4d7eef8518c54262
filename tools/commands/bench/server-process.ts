/** The program of a measured server, which reports its CPU time when asked. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import fastify from "fastify";
import { migrate } from "../../../reference-server/database/migrations.ts";
import { openDatabase } from "../../../reference-server/database/open.ts";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import { startReferenceServer } from "../../../reference-server/embedded.ts";

/**
 * The baseline for the reference server: two Fastify routes on SQLite in memory. The routes write and read the same rows as the reference
 * server, without rate limits, tokens or validation.
 * @param template the fields of a created delivery, except id and reference
 */
async function startBareServer(template: object): Promise<{ url: string }> {
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

export interface StartMessage {
  /** The reference server with rate limits, the reference server without rate limits, or the bare server. */
  readonly kind: "reference" | "unlimited" | "bare";
  /** The path of the database, or `:memory:`. */
  readonly database: string;
  readonly controlToken: string;
  /** The delivery in the bare server's responses. */
  readonly delivery?: object;
  /** The latency of responses. With latency, all requests come from one IP address. */
  readonly latencyMs?: number;
}

const UNLIMITED = { requests: 1_000_000_000, windowMs: 60_000 };
const RATE = { integrator: UNLIMITED, anonymous: UNLIMITED, token: UNLIMITED, tracking: UNLIMITED };

function start({ kind, database, controlToken, delivery = {} }: StartMessage): Promise<{ url: string }> {
  if (kind === "bare") return startBareServer(delivery);
  const mutate = (deps: Dependencies) =>
    kind === "reference" ? deps : { ...deps, limits: { ...deps.limits, rate: RATE } };
  return startReferenceServer({ database, controlToken, mutate, webhookKey: Buffer.alloc(32, 7) });
}

/**
 * Starts a relay that delays each chunk in both directions.
 * @returns the relay's URL
 */
async function delayingRelay(url: string, delayMs: number): Promise<string> {
  const forward = (from: Socket, to: Socket) => {
    from.setNoDelay(true);
    from.on("data", (bytes) => setTimeout(() => to.write(bytes), delayMs));
    from.on("close", () => setTimeout(() => to.destroy(), delayMs));
    from.on("error", () => from.destroy());
  };
  const relay = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), "127.0.0.1");
    forward(client, upstream);
    forward(upstream, client);
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  return `http://127.0.0.1:${Object(relay.address()).port}`;
}

process.on("message", async (message: StartMessage | "usage") => {
  if (message === "usage") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000 });
    return;
  }
  const { url } = await start(message);
  const { latencyMs } = message;
  process.send?.({ url: latencyMs === undefined ? url : await delayingRelay(url, latencyMs / 2) });
});
// Without this handler, SIGTERM would end the process without writing the compile cache.
process.on("SIGTERM", () => process.exit());
process.on("disconnect", () => process.exit());
process.send?.("ready");
