/** SQLite in this process. Only one server uses a database. */
import type { DatabaseDialect } from "../dialect.ts";
import { expectDatabase } from "./file.ts";

export const inMemory = ":memory:";

/** Undefined for a database in memory. */
function fileOf(location: string): string | undefined {
  return location === inMemory ? undefined : location;
}

/** SQLite has one writer at a time, so transactions don't conflict and rows needn't be locked. */
export const sqlite: DatabaseDialect = {
  name: "SQLite",
  urlForm: "file:PATH",
  isShared: false,
  locationOf: (url) => /^file:(?:\/\/)?(.+)$/.exec(url)?.[1],
  /** Accepts every text as a path, except other dialects' URLs. */
  takes: () => true,
  fileOf,
  checkFile: (location) => {
    const file = fileOf(location);
    if (file !== undefined) expectDatabase(file);
  },
  open: async (location) =>
    (await import("./sqlite.ts")).openSqlite(location, fileOf(location) !== undefined),
  isConflict: () => false,
  sharing: (query) => query,
  skippingTaken: (query) => query,
};
