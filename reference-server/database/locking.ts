/**
 * Locks on the rows that a query reads. SQLite has one writer at a time and knows no such thing: there the query stays as
 * it is.
 */
import { PostgresAdapter, type SelectQueryBuilder } from "kysely";
import type { Queryable } from "./schema.ts";

/** Nobody changes these rows until the transaction ends; others may share the lock. */
export function sharing<DB, TB extends keyof DB, O>(
  db: Queryable,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return locks(db) ? query.forShare() : query;
}

/** Takes these rows of one table until the transaction ends, save those that someone else has taken. */
export function skippingTaken<DB, TB extends keyof DB & string, O>(
  db: Queryable,
  table: TB,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return locks(db) ? query.forUpdate(table).skipLocked() : query;
}

function locks(db: Queryable): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
