/** The operations that differ between databases. `sqlite/` and `postgres/` implement them. */
import type { SelectQueryBuilder } from "kysely";
import type { Instances } from "./instances.ts";
import type { Database, Queryable } from "./schema.ts";

export interface OpenedDatabase {
  database: Database;
  /** The instances that use this database. */
  instances: Instances;
  /** Called after the migrations, so that other databases in memory can copy the tables. */
  keepTables?: () => void;
}

export interface DatabaseDialect {
  /** The name for messages. */
  readonly name: string;
  /** The form of a `DATABASE_URL`, for messages. */
  readonly urlForm: string;
  /**
   * True if several servers may share a database. A server then doesn't generate shared values, such as the
   * webhook key.
   */
  readonly isShared: boolean;
  /** The location in a `DATABASE_URL`, as `open` accepts it; undefined for another dialect's URL. */
  locationOf(url: string): string | undefined;
  /** True if `open` accepts this location. */
  takes(location: string): boolean;
  /** The database file; undefined for a remote database. */
  fileOf(location: string): string | undefined;
  /** Throws UnusableDatabase if the file contains something else. Writes nothing. */
  checkFile(location: string): void;
  /** Throws if the database can't be used. Loads the database's library on demand, so that a start loads only one library. */
  open(location: string): Promise<OpenedDatabase>;
  /** True if a transaction was rolled back because of a conflict and can be repeated. */
  isConflict(error: unknown): boolean;
  /**
   * Locks the rows of a query until the transaction ends: other transactions may read, but not change them.
   */
  sharing<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /**
   * Locks the rows of one table until the transaction ends, and skips rows that another transaction has
   * locked.
   */
  skippingTaken<DB, TB extends keyof DB & string, O>(
    query: SelectQueryBuilder<DB, TB, O>,
    table: TB,
  ): SelectQueryBuilder<DB, TB, O>;
}

/** The dialects by adapter, because a database and its transactions have the same adapter. */
const dialects = new WeakMap<object, DatabaseDialect>();

/** Registers the dialect of a database for `dialectOf`. */
export function setDialect(database: Database, dialect: DatabaseDialect): void {
  dialects.set(database.getExecutor().adapter, dialect);
}

/** The dialect of a database that `openDatabase` opened, or of a transaction on it. */
export function dialectOf(db: Queryable): DatabaseDialect {
  const dialect = dialects.get(db.getExecutor().adapter);
  if (dialect === undefined) throw new Error("the database has no dialect: open it with openDatabase");
  return dialect;
}
