/** Opens the database at an address or a path. */
import { type DatabaseDialect, type OpenedDatabase, setDialect } from "./dialect.ts";
import { postgres } from "./postgres/dialect.ts";
import { inMemory, sqlite } from "./sqlite/dialect.ts";

/** All supported databases, in the order in which they are tried. */
export const dialects: readonly DatabaseDialect[] = [postgres, sqlite];

/** A database in memory. */
export const defaultLocation = inMemory;

/** The location in a `DATABASE_URL`, as `openDatabase` accepts it; undefined for an unsupported URL. */
export function locationOf(url: string): string | undefined {
  return dialects.map((dialect) => dialect.locationOf(url)).find((location) => location !== undefined);
}

/** The dialect of a location: a file's path, `:memory:`, or a URL. */
export function dialectAt(location: string): DatabaseDialect {
  const dialect = dialects.find(({ takes }) => takes(location));
  if (dialect === undefined) throw new Error("this kind of database address isn't supported");
  return dialect;
}

/** Throws if the database can't be used. */
export async function openDatabase(location: string): Promise<OpenedDatabase> {
  const dialect = dialectAt(location);
  const opened = await dialect.open(location);
  setDialect(opened.database, dialect);
  return opened;
}
