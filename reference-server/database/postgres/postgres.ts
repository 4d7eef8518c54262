/** Connects Kysely to PostgreSQL through the connection pool of `pg`. */
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import { reasonOf } from "../../errors.ts";
import type { OpenedDatabase } from "../dialect.ts";
import type { Tables } from "../schema.ts";
import { PreparingClient } from "./client.ts";
import { PostgresInstances } from "./instances.ts";

/** Pooled connections per instance, in addition to the connection that holds the instance's advisory lock. */
const connections = 12;

/**
 * Opens the database at a `postgres://` URL, and throws if it is unreachable. Later, broken connections are
 * replaced on demand.
 */
export async function openPostgres(url: string): Promise<OpenedDatabase> {
  const config = {
    connectionString: url,
    application_name: "courier-dispatch",
    keepAlive: true,
    connectionTimeoutMillis: 3000,
    // Statements are fast, so a slow statement is stuck. The client gets an error and retries.
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser: parserOf },
  } satisfies pg.ClientConfig;
  const pool = pooled(new pg.Pool({ ...config, max: connections }));
  await pool.connect().then(
    (client) => client.release(),
    (error: unknown) => {
      throw new Error(`the database of DATABASE_URL can't be used: ${reasonOf(error)}`);
    },
  );
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { database, instances: new PostgresInstances(database, config) };
}

/** Parses integers as JavaScript numbers, which represent milliseconds and counts exactly. */
function parserOf(oid: number, format?: "text" | "binary") {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format);
}

function pooled(pool: pg.Pool): PostgresPool {
  // Needs no handling: a broken connection fails its query, and the pool replaces a broken idle connection.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const clients = new WeakMap<pg.PoolClient, PreparingClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? new PreparingClient(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}
