/** What sets one database apart from another. SQLite and PostgreSQL implement it, each in a folder of its own. */
import type { SelectQueryBuilder } from "kysely";
import type { Instances } from "./instances.ts";
import type { Database, Queryable } from "./schema.ts";

export interface OpenedDatabase {
  database: Database;
  /** Those that serve on it. */
  instances: Instances;
  /** Called once its tables are up to date: the next database in memory begins with tables like these. */
  keepTables?: () => void;
}

export interface DatabaseDialect {
  /** For people. */
  readonly name: string;
  /** What a `DATABASE_URL` of this dialect looks like, for people. */
  readonly urlForm: string;
  /** Whether several servers may serve on one database; what each would make for itself has to be given to them then. */
  readonly isShared: boolean;
  /** Where the database of a `DATABASE_URL` is, as `open` takes it; undefined for the url of another dialect. */
  locationOf(url: string): string | undefined;
  /** Whether `open` takes this location. */
  takes(location: string): boolean;
  /** The file that a database is kept in; undefined where that is none of this machine's to know. */
  fileOf(location: string): string | undefined;
  /** Throws UnusableDatabase where something else is there; nothing is written. */
  look(location: string): void;
  /** Throws where it can't be used. A library is loaded here, so that a start needs only that of its own database. */
  open(location: string): Promise<OpenedDatabase>;
  /** Whether a transaction was undone because another stood in its way, and may be tried again. */
  isConflict(error: unknown): boolean;
  /** Locks what the query reads: nobody changes these rows until the transaction ends; others may share the lock. */
  sharing<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O>;
  /** Takes the rows of one table until the transaction ends, save those that someone else has taken. */
  skippingTaken<DB, TB extends keyof DB & string, O>(
    query: SelectQueryBuilder<DB, TB, O>,
    table: TB,
  ): SelectQueryBuilder<DB, TB, O>;
}

/** By the adapter of the database, which its transactions have too. */
const dialects = new WeakMap<object, DatabaseDialect>();

/** Has `dialectOf` know the dialect of this database. */
export function setDialect(database: Database, dialect: DatabaseDialect): void {
  dialects.set(database.getExecutor().adapter, dialect);
}

/** The dialect of a database that `openDatabase` opened, or of a transaction on it. */
export function dialectOf(db: Queryable): DatabaseDialect {
  const dialect = dialects.get(db.getExecutor().adapter);
  if (dialect === undefined) throw new Error("not a database of this server");
  return dialect;
}
