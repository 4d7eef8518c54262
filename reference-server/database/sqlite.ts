/** SQLite inside the process, by Node's own `node:sqlite`, behind Kysely's SQLite dialect. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";
import type { Database, Tables } from "./schema.ts";

/**
 * Opens a database file, or one in memory for `:memory:`.
 *
 * A file is written ahead and synced at every commit: what was answered survives a crash of the machine.
 */
export function openSqlite(location: string): Database {
  const file = new DatabaseSync(location);
  if (location !== ":memory:") {
    file.exec("pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000");
  }
  return new Kysely<Tables>({ dialect: new Dialect({ database: adapted(file) }) });
}

/** Tables are changed in a transaction too, which as it begins as a writer is also the lock against other processes. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class Dialect extends SqliteDialect {
  override createAdapter(): Adapter {
    return new Adapter();
  }
}

/** A transaction that reads first could find, when it writes, that another process wrote in between. */
const beginWriting = "begin immediate";

/** Kysely expects the shape of another library; statements are prepared once and kept by their text. */
function adapted(file: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => file.close(),
    prepare(sql) {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = adaptedStatement(file.prepare(sql === "begin" ? beginWriting : sql));
        // Lists of values make statements of many lengths; starting over is simpler than ageing and as quick.
        if (prepared.size >= 500) prepared.clear();
        prepared.set(sql, statement);
      }
      return statement;
    },
  };
}

function adaptedStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  };
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  throw new TypeError(`no column takes a ${typeof value}`);
}
