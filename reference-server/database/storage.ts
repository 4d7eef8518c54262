/** The free space on the database's disk, and the report of a full disk. */
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export interface Storage {
  /** Free bytes on the database file's disk; undefined for a remote database. */
  freeBytes(): Promise<number | undefined>;
}

export const storageOf = (file: string | undefined): Storage => ({
  async freeBytes() {
    if (file === undefined) return undefined;
    const { bavail, bsize } = await statfs(dirname(resolve(file)));
    return bavail * bsize;
  },
});

const SQLITE_FULL = 13;
const POSTGRES_DISK_FULL = "53100";

/** True if a write failed because the disk is full. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return (
    Reflect.get(error, "errcode") === SQLITE_FULL ||
    code === POSTGRES_DISK_FULL ||
    code === "ENOSPC" ||
    (error.cause !== undefined && isDiskFull(error.cause))
  );
}

/** Reports each error, but a full disk at most once per `intervalMs`. */
export function reportOnceWhileFull(
  report: (error: unknown) => void,
  now: () => number,
  intervalMs = 10 * 60_000,
): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isDiskFull(error)) return report(error);
    if (now() - reportedAt < intervalMs) return;
    reportedAt = now();
    report(new Error("the database's disk is full: requests that store data get a 500 until there is space"));
  };
}
