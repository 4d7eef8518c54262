/** Opens the database that an address or a path stands for. */
import { type DatabaseDialect, type OpenedDatabase, setDialect } from "./dialect.ts";
import { postgres } from "./postgres/dialect.ts";
import { inMemory, sqlite } from "./sqlite/dialect.ts";

/** Every database that the server runs on. A location is the first's that takes it. */
export const dialects: readonly DatabaseDialect[] = [postgres, sqlite];

/** A database that is kept no longer than the server runs. */
export const defaultLocation = inMemory;

/** Where the database of a `DATABASE_URL` is, as `openDatabase` takes it; undefined for the url of none. */
export function locationOf(url: string): string | undefined {
  return dialects.map((dialect) => dialect.locationOf(url)).find((location) => location !== undefined);
}

/** The dialect of a location: of a file's path, of `:memory:`, or of an address. */
export function dialectAt(location: string): DatabaseDialect {
  const dialect = dialects.find(({ takes }) => takes(location));
  if (dialect === undefined) throw new Error("no database is reached by such an address");
  return dialect;
}

/** Throws where the database can't be used. */
export async function openDatabase(location: string): Promise<OpenedDatabase> {
  const dialect = dialectAt(location);
  const opened = await dialect.open(location);
  setDialect(opened.database, dialect);
  return opened;
}
