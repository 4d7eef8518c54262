/** SQLite in this process. One server has the database to itself. */
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
  /** Any text that isn't another dialect's URL is a file's path. */
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
