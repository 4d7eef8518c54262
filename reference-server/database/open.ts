/** Opens the database that an address or a path stands for. */
import { aloneInstance, type Instances } from "./instances.ts";
import type { Database } from "./schema.ts";

export interface Opened {
  database: Database;
  instances: Instances;
}

export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}

/** A file's path, `:memory:`, or a `postgres://` address. A library is loaded only where it is used. */
export async function openDatabase(location: string): Promise<Opened> {
  if (isPostgres(location)) return (await import("./postgres/postgres.ts")).openPostgres(location);
  const { openSqlite } = await import("./sqlite/sqlite.ts");
  return { database: openSqlite(location), instances: aloneInstance() };
}
