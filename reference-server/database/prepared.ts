/**
 * Queries that are built once. Building a query and compiling it to SQL takes several times as long as SQLite
 * takes to run the query.
 */
import { type CompiledQuery, type QueryResult, type RawBuilder, sql } from "kysely";
import type { Queryable } from "./schema.ts";

/** A placeholder for a parameter of a prepared query. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Runs a query without Kysely. Returns undefined if Kysely has to run it. `isInside` is true within a
 * transaction.
 */
export type FastPath = <Row>(query: CompiledQuery<Row>, isInside: boolean) => QueryResult<Row> | undefined;

/** The fast paths by the adapters of their databases. */
const fastPaths = new WeakMap<object, FastPath>();

export function offerFastPath(adapter: object, fastPath: FastPath): void {
  fastPaths.set(adapter, fastPath);
}

type Placeholders<Params> = { [Name in keyof Params]: RawBuilder<Params[Name]> };

/**
 * A query with named parameters: `prepared<{ id: string }>()((db, p) => db.selectFrom(…).where("id", "=",
 * p.id))`.
 *
 * `build` runs once per database. The returned function takes the transaction or database first, then the
 * parameters.
 */
export function prepared<Params extends object>() {
  return <Row>(build: (db: Queryable, params: Placeholders<Params>) => { compile(): CompiledQuery<Row> }) => {
    const built = new WeakMap<object, CompiledQuery<Row>>();
    return async (db: Queryable, params: Params): Promise<QueryResult<Row>> => {
      const { adapter } = db.getExecutor();
      let query = built.get(adapter);
      if (query === undefined) {
        query = build(db, placeholders<Params>()).compile();
        built.set(adapter, query);
      }
      const parameters = query.parameters.map((value) =>
        value instanceof Placeholder ? Reflect.get(params, value.name) : value,
      );
      const filled = { ...query, parameters };
      return fastPaths.get(adapter)?.(filled, db.isTransaction) ?? db.executeQuery(filled);
    };
  };
}

/** The named parameters as columns of a row. */
export function columns<Params, Name extends keyof Params>(
  params: Params,
  ...names: Name[]
): { [Column in Name]: Params[Column] } {
  const row: Partial<Params> = {};
  for (const name of names) row[name] = params[name];
  if (!hasAll(row, names)) throw new Error("a column is missing");
  return row;
}

function hasAll<Params, Name extends keyof Params>(
  row: Partial<Params>,
  names: readonly Name[],
): row is Partial<Params> & { [Column in Name]: Params[Column] } {
  return names.every((name) => name in row);
}

function placeholders<Params extends object>(): Placeholders<Params> {
  const handler: ProxyHandler<Placeholders<Params>> = {
    get: (_target, name) => sql`${new Placeholder(name)}`,
  };
  return new Proxy(Object.create(null), handler);
}
