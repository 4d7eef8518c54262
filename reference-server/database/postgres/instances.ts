/**
 * Server instances that share a PostgreSQL database. Each instance holds an advisory lock on its own connection, which
 * shows the other instances that it is running. The connection also receives notifications of moved clocks.
 */
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import type { Instances } from "../instances.ts";
import type { Database, Tx } from "../schema.ts";

/** The first half of the lock's key. The second half identifies the instance. */
const lockClass = 1_668_247_155;
const channel = "clock_moved";
const longestPauseMs = 2000;

export class PostgresInstances implements Instances {
  readonly id = String(randomInt(1, 2 ** 31 - 1));
  readonly #database: Database;
  readonly #config: pg.ClientConfig;
  #session: pg.Client | undefined;
  #hasLeft = false;

  constructor(database: Database, config: pg.ClientConfig) {
    this.#database = database;
    this.#config = config;
  }

  async join(onClockMoved: (integratorId: string) => void): Promise<void> {
    this.#session = await this.#connect(onClockMoved);
  }

  async present(): Promise<readonly string[]> {
    const locks = await sql<{ id: string }>`
      select objid::bigint::text as id from pg_locks
      where locktype = 'advisory' and granted and classid = ${sql.lit(lockClass)} and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
    `.execute(this.#database);
    return locks.rows.map(({ id }) => id);
  }

  async notifyClockMoved(tx: Tx, integratorId: string): Promise<void> {
    await sql`select pg_notify(${sql.lit(channel)}, ${integratorId})`.execute(tx);
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#session?.end();
  }

  async #connect(onClockMoved: (integratorId: string) => void): Promise<pg.Client> {
    const session = new pg.Client(this.#config);
    session.on("error", () => {});
    session.on("notification", ({ payload }) => payload !== undefined && onClockMoved(payload));
    try {
      await session.connect();
      // Detects an unreachable machine after half a minute instead of hours.
      await session.query("set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5");
      await session.query("set tcp_keepalives_count = 4");
      await session.query("select pg_advisory_lock($1, $2)", [lockClass, Number(this.id)]);
      await session.query(`listen ${channel}`);
    } catch (error) {
      await session.end().catch(() => {});
      throw error;
    }
    session.once("end", () => void this.#reconnect(onClockMoved));
    return session;
  }

  /** Reconnects. Until then, the other instances assume that this instance is dead, and take over its work. */
  async #reconnect(onClockMoved: (integratorId: string) => void): Promise<void> {
    for (let delay = 50; !this.#hasLeft; delay = Math.min(delay * 2, longestPauseMs)) {
      try {
        this.#session = await this.#connect(onClockMoved);
        if (this.#hasLeft) await this.#session.end();
        return;
      } catch {
        await pause(delay, undefined, { ref: false });
      }
    }
  }
}
