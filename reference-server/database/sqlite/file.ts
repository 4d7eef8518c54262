import { closeSync, openSync, readSync, statSync } from "node:fs";
import { UnusableDatabase } from "../unusable.ts";

const HEADER = "SQLite format 3\0";

/**
 * Reads the file's header before anything is written, so that another program's file isn't changed.
 * @throws UnusableDatabase if the file isn't a database; an empty file becomes a database
 */
export function expectDatabase(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new UnusableDatabase("it is a folder; give a file");
  if (!found?.isFile() || found.size === 0) return;
  const begin = Buffer.alloc(HEADER.length);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, begin);
  } finally {
    closeSync(descriptor);
  }
  if (begin.toString("latin1") === HEADER) return;
  throw new UnusableDatabase("it isn't a SQLite database; give another file");
}
