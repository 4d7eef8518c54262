import { closeSync, openSync, readSync, statSync } from "node:fs";
import { UnusableDatabase } from "../unusable.ts";

const HEADER = "SQLite format 3\0";

/**
 * Looks before anything is written: a file of something else isn't overwritten, and stays as it is.
 * @throws UnusableDatabase for a file that holds something else than a database; one that is empty will become one
 */
export function expectDatabase(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0) return;
  const begin = Buffer.alloc(HEADER.length);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, begin);
  } finally {
    closeSync(descriptor);
  }
  if (begin.toString("latin1") === HEADER) return;
  throw new UnusableDatabase("it holds something else than a SQLite database; give another file");
}
