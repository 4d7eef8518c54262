/** Where the database is kept, as far as this machine knows: how much room is left there, and whether it was too little. */
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export interface Storage {
  /** Bytes that are left where the database file is; undefined where that is none of this machine's to know. */
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

/** Whether something couldn't be kept for want of room: the database's word for it, or the system's. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return (
    Reflect.get(error, "errcode") === SQLITE_FULL ||
    code === POSTGRES_DISK_FULL ||
    code === "ENOSPC" ||
    (error.cause !== undefined && isOutOfRoom(error.cause))
  );
}

/**
 * Tells of faults, of a full disk once: each request that comes meanwhile would tell of it again.
 * @param again milliseconds of real time after which it is told of anew
 */
export function toldOnceWhileFull(
  tell: (error: unknown) => void,
  now: () => number,
  again = 10 * 60_000,
): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isOutOfRoom(error)) return tell(error);
    if (now() - toldAt < again) return;
    toldAt = now();
    tell(
      new Error(
        "there is no room left for the database: whatever has to be kept is answered 500 until there is",
      ),
    );
  };
}
