/** Connects Kysely to SQLite through Node's `node:sqlite`. */
import { randomUUID } from "node:crypto";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";
import type { OpenedDatabase } from "../dialect.ts";
import type { Instances } from "../instances.ts";
import { type FastPath, offerFastPath } from "../prepared.ts";
import type { Tables } from "../schema.ts";
import { expectDatabase } from "./file.ts";

/** The only instance on a database in this process. */
function soleInstance(): Instances {
  const id = randomUUID();
  return {
    id,
    join: async () => {},
    present: async () => [id],
    notifyClockMoved: async () => {},
    leave: async () => {},
  };
}

/**
 * A database with empty tables, which databases in memory copy: creating the tables takes most of a server's
 * start. Node 24 can't serialize them.
 */
let emptyTables: Uint8Array | undefined;

/**
 * Opens a database file, or one in memory for `:memory:`. A file (`isKept`) has a write-ahead log, which is
 * synced at every commit, so that answered requests survive a crash of the machine.
 */
export function openSqlite(location: string, isKept: boolean): OpenedDatabase {
  if (isKept) {
    expectDatabase(location);
    keepToOwner(location);
  }
  const file = new DatabaseSync(location);
  if (isKept) {
    file.exec("pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000");
  } else if (emptyTables !== undefined) file.deserialize(emptyTables);
  const adaptedFile = adapted(file);
  const dialect = new FastPathDialect(adaptedFile, fastPathTo(file, adaptedFile));
  const database = new Kysely<Tables>({ dialect });
  const keepTables = () => {
    if (!isKept && "serialize" in file) emptyTables ??= file.serialize();
  };
  return { database, instances: soleInstance(), keepTables };
}

/**
 * Sets the file's mode to owner-only: it contains customers' names and addresses. SQLite's other files get
 * the same mode.
 */
function keepToOwner(location: string): void {
  closeSync(openSync(location, "a", 0o600));
  for (const file of [location, `${location}-wal`, `${location}-shm`])
    if (existsSync(file)) chmodSync(file, 0o600);
}

/** Runs migrations in a transaction that begins as a writer, and so locks out other processes. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class FastPathDialect extends SqliteDialect {
  readonly #fastPath: FastPath;

  constructor(database: SqliteDatabase, fastPath: FastPath) {
    super({ database });
    this.#fastPath = fastPath;
  }

  override createAdapter(): Adapter {
    const adapter = new Adapter();
    offerFastPath(adapter, this.#fastPath);
    return adapter;
  }
}

/**
 * SQLite runs queries synchronously, so a query can skip Kysely's asynchronous steps. While another
 * transaction is open, the query can't skip them, because it would see uncommitted writes.
 */
function fastPathTo(file: DatabaseSync, database: SqliteDatabase): FastPath {
  return <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }, isInside: boolean) => {
    if (file.isTransaction && !isInside) return undefined;
    const statement = database.prepare(sql);
    if (!statement.reader) {
      const { changes } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    }
    const rows = statement.all(parameters);
    if (!areRows<Row>(rows)) throw new Error("SQLite returned no list of rows");
    return { rows };
  };
}

/** Asserts the type of rows without checking it, as Kysely does. */
function areRows<Row>(rows: unknown): rows is Row[] {
  return Array.isArray(rows);
}

/** A deferred transaction could fail at its first write if another process wrote in between. */
const beginWriting = "begin immediate";

/** Kysely expects the interface of better-sqlite3. Statements are prepared once and cached by their text. */
function adapted(file: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => file.close(),
    prepare(sql) {
      // After some errors, such as a full disk, SQLite has already rolled back. A second rollback would fail and hide
      // the first error.
      if (sql === "rollback" && !file.isTransaction) return nothing;
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = adaptedStatement(file.prepare(sql === "begin" ? beginWriting : sql));
        // Lists of values produce many different statements, so the cache is cleared when it is full.
        if (prepared.size >= 500) prepared.clear();
        prepared.set(sql, statement);
      }
      return statement;
    },
  };
}

const nothing: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

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
  throw new TypeError(`a column can't store a ${typeof value}`);
}
